package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.server.ClewServer;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server in a process of its own, so that its memory can be told from that of its clients; see
 * {@link StreamsRow}. Stateless.
 */
final class StreamServer {
  private static final int WRITERS = 16;

  private StreamServer() {}

  /**
   * {@code FILE SESSIONS SECONDS}: serves without sign-in, says where and how much heap it has at
   * rest, and when it is told to, appends to each session once a second.
   */
  public static void main(String[] args) throws Exception {
    int sessions = Integer.parseInt(args[1]);
    int seconds = Integer.parseInt(args[2]);
    try (SessionStore store = SqliteStore.open(Path.of(args[0]));
        ClewServer server =
            ClewServer.start(
                ServerSettings.of(store)
                    .at("127.0.0.1", 0)
                    .auth(ServerSettings.Auth.NONE)
                    .limits(LimitSettings.NONE))) {
      for (int i = 0; i < sessions; i++) {
        store.session(key(i)).update(SessionUpdate.none().title("session " + i));
      }
      say("port", server.port());
      say("heap", heapAtRest());
      System.out.println("ready");
      if (System.in.read() < 0) {
        return; // the parent is gone
      }
      append(store, sessions, seconds);
      say("resident", resident("VmHWM:"));
      System.out.println("ready");
      System.in.read(); // until its readers have counted
    }
  }

  static SessionKey key(int session) {
    return new SessionKey(SessionKey.DEFAULT_OWNER, "s" + session);
  }

  /** The text of an event: its number, and when it was written. */
  private static Item item(int number) {
    return Item.user("event " + number + " at " + micros() + ".");
  }

  static long micros() {
    java.time.Instant now = java.time.Instant.now();
    return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
  }

  /** Evenly over each second, as the events of so many people come. */
  private static void append(SessionStore store, int sessions, int seconds) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    long begin = System.nanoTime();
    List<Future<?>> running = new ArrayList<>();
    for (int k = 0; k < WRITERS; k++) {
      int writer = k;
      running.add(
          threads.submit(
              () -> {
                for (int second = 0; second < seconds; second++) {
                  for (int i = writer; i < sessions; i += WRITERS) {
                    long due = begin + second * 1_000_000_000L + i * 1_000_000_000L / sessions;
                    for (long left = due - System.nanoTime();
                        left > 0;
                        left = due - System.nanoTime()) {
                      LockSupport.parkNanos(left);
                    }
                    store.session(key(i)).addItems(List.of(item(second)));
                  }
                }
              }));
    }
    for (Future<?> one : running) {
      one.get();
    }
    threads.shutdown();
  }

  private static long heapAtRest() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** A line of what the system says of this process, in bytes. */
  private static long resident(String name) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(name)) {
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }

  private static void say(String name, long value) {
    System.out.println(name + "=" + value);
  }
}
