package dev.clew.server.internal.runs;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.json.JsonObject;
import dev.clew.kit.Daemons;
import dev.clew.server.internal.http.EventStream;
import dev.clew.server.internal.runs.EventLog.Event;
import dev.clew.server.internal.runs.EventLog.Slice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of runs. Thread-safe.
 *
 * <p>A kept log is written to documents of its owner, a few times per second and at its end, so
 * that readers can resume at another server, and for a while after the end. Sample, the document
 * {@code log/<digest of what the run belongs to>/<digest of its id>/0000000000}:
 *
 * <pre>{@code
 * {"events":[{"number":0,"name":"response.created","data":{…}},…],"last":false}
 * }</pre>
 *
 * A document is never rewritten with other events, because readers do not read it twice.
 */
public final class EventLogs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLogs.class);
  private static final Duration KEPT = Duration.ofHours(1);
  static final long TICK_MS = 250;
  private static final int PAGE = 100;

  private final Documents records;
  private final Map<RunKey, EventLog> running = new ConcurrentHashMap<>();

  /** For reading from the store, which must not delay the clock. */
  private final Lanes lanes = new Lanes("clew-event-readers");

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("clew-event-logs"));

  public EventLogs(Documents records) {
    this.records = records;
    var unused =
        clock.scheduleWithFixedDelay(
            () -> running.values().forEach(this::flushQuietly),
            TICK_MS,
            TICK_MS,
            TimeUnit.MILLISECONDS);
  }

  public EventLog begin(RunKey key) {
    EventLog log = new EventLog(key);
    running.put(key, log);
    return log;
  }

  /** Begins a log that is only in memory. */
  public EventLog beginUnkept(RunKey key) {
    return new EventLog(key);
  }

  /** Discards the log of a run that did not begin. */
  public void drop(EventLog log) {
    running.remove(log.key());
    log.end();
  }

  /** Makes a kept log visible to other servers if nothing of it is stored yet. */
  public void announce(EventLog log) {
    if (!log.isInStore() && running.containsKey(log.key())) {
      flushQuietly(log);
    }
  }

  /** Ends a log; a kept one stays readable for a while. */
  public void end(EventLog log) {
    log.end();
    if (running.containsKey(log.key())) {
      flushQuietly(log);
      running.remove(log.key());
    }
  }

  private void flushQuietly(EventLog log) {
    try {
      flush(log);
    } catch (RuntimeException e) { // one log's failure must not affect others
      LOG.warn("could not store the events of run {}: {}", log.key().id(), e.toString());
    }
  }

  private void flush(EventLog log) {
    synchronized (log.flushing()) { // one chunk at a time, while events are added
      for (Slice chunk = log.unwritten(); chunk != null; chunk = log.unwritten()) {
        put(log.key(), chunk.events(), chunk.last());
        log.written(chunk);
      }
    }
  }

  private void put(RunKey key, List<Event> events, boolean last) {
    String first = events.isEmpty() ? "end" : String.format("%010d", events.get(0).number());
    records.put(
        key.owner(),
        key.prefix() + first,
        new JsonObject()
            .array("events", events.stream().map(Event::json).toList())
            .put("last", last)
            .toString(),
        OptionalLong.empty(),
        Optional.of(KEPT));
  }

  public boolean exists(RunKey key) {
    return running.containsKey(key)
        || !records.list(key.owner(), key.prefix(), Optional.empty(), 1).isEmpty();
  }

  /** Deletes the logs of everything that belongs to an owner's session or response. */
  public void deleteAll(String owner, String belongsTo) {
    String prefix = RunKey.prefix(belongsTo);
    while (true) {
      List<Document> chunks = records.list(owner, prefix, Optional.empty(), PAGE);
      chunks.forEach(chunk -> records.delete(owner, chunk.name()));
      if (chunks.size() < PAGE) {
        return;
      }
    }
  }

  /**
   * Streams the events after a number, past and future ones, and ends the stream after the last.
   *
   * @param abandoned asked when another server is silent for a while: the last events, if the run
   *     will never send them
   */
  public void follow(
      RunKey key,
      long after,
      EventStream stream,
      Sender sender,
      LongFunction<Optional<List<Event>>> abandoned) {
    stream(reader(key, after, outlet(stream, sender), abandoned), stream);
  }

  /** Streams the events of a log that began here. */
  public void follow(EventLog log, EventStream stream, Sender sender) {
    stream(reader(log, outlet(stream, sender)), stream);
  }

  /** Sends the events of a log that began here to an outlet. */
  public Following follow(EventLog log, Outlet outlet) {
    LogReader reader = reader(log, outlet);
    reader.start();
    return reader;
  }

  private LogReader reader(EventLog log, Outlet outlet) {
    Optional<EventLog> local = Optional.of(log);
    return new LogReader(
        records, this::atNextTick, log.key(), local, -1, outlet, number -> Optional.empty());
  }

  private static void stream(LogReader reader, EventStream stream) {
    stream.onRoom(reader);
    stream.onEnd(reader::close);
    reader.start();
  }

  /** Sends the events after a number to an outlet until the log ends or the reader is closed. */
  public Following follow(
      RunKey key, long after, Outlet outlet, LongFunction<Optional<List<Event>>> abandoned) {
    LogReader reader = reader(key, after, outlet, abandoned);
    reader.start();
    return reader;
  }

  private LogReader reader(
      RunKey key, long after, Outlet outlet, LongFunction<Optional<List<Event>>> abandoned) {
    Optional<EventLog> local = Optional.ofNullable(running.get(key));
    return new LogReader(records, this::atNextTick, key, local, after, outlet, abandoned);
  }

  private void atNextTick(String owner, Runnable work) {
    var unused = clock.schedule(() -> lanes.execute(owner, work), TICK_MS, TimeUnit.MILLISECONDS);
  }

  /** Receives the events of a log. Called by one thread at a time. */
  public interface Outlet {
    /** Whether it takes an event now; if not, {@link Following#run} must be called later. */
    boolean hasRoom();

    void send(Event event);

    /** Nothing more is sent for now. */
    default void flush() {}

    void end();
  }

  /** A reader of a log: run it when there is room again, close it to leave. */
  public interface Following extends Runnable, AutoCloseable {
    @Override
    void close();
  }

  private static Outlet outlet(EventStream stream, Sender sender) {
    return new Outlet() {
      @Override
      public boolean hasRoom() {
        return stream.hasRoom();
      }

      @Override
      public void send(Event event) {
        sender.send(stream, event);
      }

      @Override
      public void end() {
        stream.end();
      }
    };
  }

  @FunctionalInterface
  public interface Sender {
    void send(EventStream stream, Event event);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    lanes.close();
    running.values().forEach(this::flushQuietly);
  }
}
