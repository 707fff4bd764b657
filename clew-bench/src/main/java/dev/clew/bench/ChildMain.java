package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.decorate.RetryingStore;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.MigrationReport;
import dev.clew.sqlite.SqliteStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What runs in a JVM of its own; see {@link Child}. Stateless. */
final class ChildMain {
  private ChildMain() {}

  /**
   * {@code write FILE SESSION SECONDS | open FILE SESSION | open-bare FILE SESSION | memory FILE
   * SESSIONS | memory-bare FILE SESSIONS | migrate FILE URL}.
   */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[1]);
    switch (args[0]) {
      case "write" -> write(file, args[2], Double.parseDouble(args[3]));
      case "open" -> open(file, args[2]);
      case "open-bare" -> openBare(file, args[2]);
      case "memory" -> memory(file, Integer.parseInt(args[2]));
      case "memory-bare" -> memoryBare(file, Integer.parseInt(args[2]));
      case "migrate" -> migrate(file, args[2]);
      default -> throw new IllegalArgumentException("there is no part " + args[0]);
    }
  }

  private static void write(Path file, String session, double seconds) throws IOException {
    try (ClewStore clew = new ClewStore(file)) {
      for (int i = 0; i < 200; i++) {
        clew.append("warm-" + session, Turn.of(i));
      }
      System.out.println("ready");
      if (System.in.read() < 0) {
        return; // the parent is gone
      }
      long end = System.nanoTime() + (long) (seconds * 1e9);
      long worst = 0;
      int turns = 0;
      while (System.nanoTime() < end) {
        Turn turn = Turn.of(turns++);
        long start = System.nanoTime();
        clew.append(session, turn);
        worst = Math.max(worst, System.nanoTime() - start);
      }
      say("turns", turns);
      say("worst", worst);
    }
  }

  private static void open(Path file, String session) {
    long start = System.nanoTime();
    try (SqliteStore store = SqliteStore.open(file)) {
      int items = store.session(session).getItems(20).size();
      say("nanos", System.nanoTime() - start);
      say("items", items);
    }
  }

  private static void openBare(Path file, String session) throws Exception {
    long start = System.nanoTime();
    // Not by +, whose first use takes the JVM some milliseconds that are not the driver's.
    String url = "jdbc:sqlite:".concat(file.toString());
    try (Connection connection = DriverManager.getConnection(url)) {
      Jdbc.run(
          connection,
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = FULL",
          "PRAGMA foreign_keys = ON");
      List<String> texts = new ArrayList<>();
      try (PreparedStatement last =
          connection.prepareStatement(
              "SELECT message_data FROM agent_messages WHERE session_id = ?"
                  + " ORDER BY id DESC LIMIT 20")) {
        last.setString(1, session);
        try (ResultSet rows = last.executeQuery()) {
          while (rows.next()) {
            texts.add(rows.getString(1));
          }
        }
      }
      say("nanos", System.nanoTime() - start);
      say("items", texts.size());
    }
  }

  /** As {@code clew migrate} does it, from opening the stores on. */
  private static void migrate(Path file, String url) {
    long start = System.nanoTime();
    try (SessionStore from = new RetryingStore(SqliteStore.open(file));
        SessionStore to = new RetryingStore(Stores.open(url))) {
      MigrationReport report = Migration.of(from, to).run(MigrationListener.NONE);
      say("nanos", System.nanoTime() - start);
      say("items", report.isComplete() ? report.items() : 0);
    }
  }

  /** Writes a turn to a session and reads the session's last items. */
  private interface Use {
    void run(String session, Turn turn) throws Exception;
  }

  /** Memory that a store takes whose sessions have all been written and read by eight threads. */
  private static void memory(Path file, int sessions) throws Exception {
    Turn.of(0);
    Footprint before = Footprint.now();
    try (ClewStore clew = new ClewStore(file)) {
      use(
          sessions,
          (session, turn) -> {
            clew.append(session, turn);
            clew.last(session, Jdbc.LIMIT);
          });
      before.sayGrowth();
    }
  }

  /** The same work with the driver alone: one connection that writes, one that reads. */
  private static void memoryBare(Path file, int sessions) throws Exception {
    ClewStore.create(file);
    Turn.of(0);
    Footprint before = Footprint.now();
    try (BareLoop writer = new BareLoop(file);
        Jdbc reader = Jdbc.open(file)) {
      use(
          sessions,
          (session, turn) -> {
            synchronized (writer) {
              writer.append(session, turn);
              reader.last(session);
            }
          });
      before.sayGrowth();
    }
  }

  private static void use(int sessions, Use use) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> running = new ArrayList<>();
    for (int k = 0; k < 8; k++) {
      int thread = k;
      running.add(
          threads.submit(
              () -> {
                for (int i = thread; i < sessions * 5; i += 8) {
                  String session = String.format(Locale.ROOT, "s%05d", i % sessions);
                  use.run(session, Turn.of(i / sessions));
                }
                return thread;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    threads.shutdown();
  }

  /**
   * Memory in use. The heap has its final size from the start, so that what the process grows by is
   * outside of it.
   */
  private record Footprint(long heap, long process) {
    static Footprint now() throws IOException {
      return new Footprint(ChildMain.heap(), residentBytes());
    }

    void sayGrowth() throws IOException {
      Footprint now = now();
      say("heap", now.heap - heap);
      say("outside", now.process - process);
    }
  }

  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("RssAnon:")) {
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }

  private static void say(String name, long value) {
    System.out.println(name + "=" + value);
  }
}
