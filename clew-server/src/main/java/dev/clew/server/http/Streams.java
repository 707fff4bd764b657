package dev.clew.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The open streams of a server: kept alive, and ended when it stops. Thread-safe. */
final class Streams implements AutoCloseable {
  private static final long PING_SECONDS = 15;

  private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService pings =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "clew-stream-pings");
            thread.setDaemon(true);
            return thread;
          });

  Streams() {
    var unused =
        pings.scheduleAtFixedRate(
            () -> open.forEach(EventStream::ping), PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
  }

  EventStream open(Transfer transfer) {
    EventStream stream = EventStream.open(transfer);
    open.add(stream);
    stream.onEnd(() -> open.remove(stream));
    return stream;
  }

  /** How many there are. */
  int count() {
    return open.size();
  }

  @Override
  public void close() {
    pings.shutdownNow();
    open.forEach(EventStream::end);
  }
}
