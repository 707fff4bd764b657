package dev.clew.server.runs;

import dev.clew.Records;
import dev.clew.Records.StoredRecord;
import dev.clew.internal.Json;
import dev.clew.internal.JsonObject;
import dev.clew.server.auth.Sha256;
import dev.clew.server.http.EventStream;
import dev.clew.server.runs.EventLog.Event;
import dev.clew.server.runs.EventLog.Slice;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
 * The logs of the runs of a store. Thread-safe.
 *
 * <p>A log that is kept is written to records of its owner, a few times a second and at its end, so
 * that a reader can go on at another server, and for a while after the end. Sample, the record
 * {@code log/<digest of the run's id>/0000000000}:
 *
 * <pre>{@code
 * {"events":[{"number":0,"name":"response.created","data":{…}},…],"last":false}
 * }</pre>
 */
public final class EventLogs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLogs.class);
  private static final Duration KEPT = Duration.ofHours(1);
  private static final long TICK_MS = 250;
  private static final int SLICE = 256;
  private static final int PAGE = 100;
  private static final int MOST_CHUNK_CHARS = 1 << 20;

  /** How many ticks without news before asking whether the run is still alive. */
  private static final int SILENT_TICKS = 8;

  private final Records records;
  private final Map<String, EventLog> running = new ConcurrentHashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "clew-event-logs");
            thread.setDaemon(true);
            return thread;
          });

  public EventLogs(Records records) {
    this.records = records;
    var unused =
        clock.scheduleWithFixedDelay(
            () -> running.values().forEach(this::flushQuietly),
            TICK_MS,
            TICK_MS,
            TimeUnit.MILLISECONDS);
  }

  /** A log of a run that begins here. */
  public EventLog begin(String owner, String id) {
    EventLog log = new EventLog(owner, id);
    running.put(prefix(owner, id), log);
    return log;
  }

  /** A log that is not kept anywhere. */
  public EventLog beginUnkept(String owner, String id) {
    return new EventLog(owner, id);
  }

  /** Gives up a log of a run that did not begin. */
  public void drop(EventLog log) {
    running.remove(prefix(log.owner(), log.id()));
    log.end();
  }

  /** Ends a log; what is in it stays readable for a while if it is kept. */
  public void end(EventLog log) {
    log.end();
    String prefix = prefix(log.owner(), log.id());
    if (running.containsKey(prefix)) {
      flushQuietly(log);
      running.remove(prefix);
    }
  }

  private void flushQuietly(EventLog log) {
    try {
      flush(log);
    } catch (RuntimeException e) { // one log's trouble is not that of the others
      LOG.warn("the events of run {} could not be kept: {}", log.id(), e.toString());
    }
  }

  private void flush(EventLog log) {
    synchronized (log.flushing()) { // one chunk after the other, while events are added
      List<Event> events = log.unflushed();
      boolean ended = log.isEnded();
      int start = 0;
      while (start < events.size() || ended) {
        int end = start;
        int chars = 0;
        while (end < events.size() && chars < MOST_CHUNK_CHARS) {
          chars += events.get(end++).data().length();
        }
        boolean last = ended && end == events.size();
        put(log, events.subList(start, end), last);
        if (end > start) {
          log.flushed(events.get(end - 1).number());
        }
        start = end;
        if (last) {
          return;
        }
      }
    }
  }

  private void put(EventLog log, List<Event> events, boolean last) {
    String first = events.isEmpty() ? "end" : String.format("%010d", events.get(0).number());
    records.put(
        log.owner(),
        prefix(log.owner(), log.id()) + first,
        new JsonObject()
            .array("events", events.stream().map(Event::json).toList())
            .put("last", last)
            .toString(),
        OptionalLong.empty(),
        Optional.of(KEPT));
  }

  /** Whether there is anything to read of a run. */
  public boolean exists(String owner, String id) {
    String prefix = prefix(owner, id);
    return running.containsKey(prefix)
        || !records.list(owner, prefix, Optional.empty(), 1).isEmpty();
  }

  /** Forgets what a run said. */
  public void delete(String owner, String id) {
    while (true) {
      List<StoredRecord> chunks = records.list(owner, prefix(owner, id), Optional.empty(), PAGE);
      chunks.forEach(chunk -> records.delete(owner, chunk.name()));
      if (chunks.size() < PAGE) {
        return;
      }
    }
  }

  private static String prefix(String owner, String id) {
    return "log/" + Sha256.hex(owner + '\n' + id) + "/";
  }

  /**
   * Sends the events behind a number to a reader, those that were and those that come, and ends the
   * stream behind the last.
   *
   * @param abandoned asked when nothing comes for a while from another server: what to tell the
   *     reader at last, behind the number of the last event it has, if nobody else will
   */
  public void follow(
      String owner,
      String id,
      long after,
      EventStream stream,
      Sender sender,
      LongFunction<Optional<List<Event>>> abandoned) {
    EventLog local = running.get(prefix(owner, id));
    follow(owner, id, Optional.ofNullable(local), after, stream, sender, abandoned);
  }

  /** Sends the events of a log that began here to a reader. */
  public void follow(EventLog log, long after, EventStream stream, Sender sender) {
    follow(
        log.owner(), log.id(), Optional.of(log), after, stream, sender, number -> Optional.empty());
  }

  private void follow(
      String owner,
      String id,
      Optional<EventLog> local,
      long after,
      EventStream stream,
      Sender sender,
      LongFunction<Optional<List<Event>>> abandoned) {
    Reader reader = new Reader(owner, id, local, after, outlet(stream, sender), abandoned);
    stream.onRoom(reader);
    stream.onEnd(reader::close);
    reader.start();
  }

  /**
   * Gives the events behind a number to an outlet that has other things to tell as well, until the
   * log ends or the following is closed.
   */
  public Following follow(
      String owner,
      String id,
      long after,
      Outlet outlet,
      LongFunction<Optional<List<Event>>> abandoned) {
    Optional<EventLog> local = Optional.ofNullable(running.get(prefix(owner, id)));
    Reader reader = new Reader(owner, id, local, after, outlet, abandoned);
    reader.start();
    return reader;
  }

  /** Where the events of a log go. Called by one thread at a time. */
  public interface Outlet {
    /** Whether it takes an event now; if not, {@link Following#run} says when it does again. */
    boolean hasRoom();

    /** Takes an event. */
    void send(Event event);

    /** There are no more. */
    void end();
  }

  /** An outlet's way through a log: run it when there is room again, close it to leave. */
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

  /** How an event stands in a stream. */
  @FunctionalInterface
  public interface Sender {
    void send(EventStream stream, Event event);
  }

  /** Where a reader is in a log. */
  private final class Reader implements Following {
    private final String owner;
    private final String id;
    private final Optional<EventLog> local;
    private final Outlet outlet;
    private final LongFunction<Optional<List<Event>>> abandoned;
    private final Deque<Event> unsent = new ArrayDeque<>();
    private Optional<String> readChunk = Optional.empty();
    private long at;
    private boolean atEnd;
    private int silentTicks;
    private volatile boolean stopped;

    Reader(
        String owner,
        String id,
        Optional<EventLog> local,
        long after,
        Outlet outlet,
        LongFunction<Optional<List<Event>>> abandoned) {
      this.owner = owner;
      this.id = id;
      this.local = local;
      this.at = after;
      this.outlet = outlet;
      this.abandoned = abandoned;
    }

    void start() {
      local.ifPresent(log -> log.subscribe(this));
      run();
      if (local.isEmpty()) {
        tick();
      }
    }

    @Override
    public void close() {
      stopped = true;
      local.ifPresent(log -> log.unsubscribe(this));
    }

    private void tick() {
      if (!stopped) {
        var unused =
            clock.schedule(
                () -> {
                  run();
                  tick();
                },
                TICK_MS,
                TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public synchronized void run() {
      try {
        while (!stopped) {
          if (unsent.isEmpty() && !fetch()) {
            return;
          }
          while (!unsent.isEmpty() && outlet.hasRoom()) {
            outlet.send(unsent.remove());
          }
          if (!unsent.isEmpty()) {
            return; // called again when there is room
          }
        }
      } catch (RuntimeException e) { // a reader's trouble is not that of the run
        LOG.warn("the events of run {} could not be read: {}", id, e.toString());
        finish();
      }
    }

    private void finish() {
      close();
      outlet.end();
    }

    /** Gets the next events; whether there are any now. */
    private boolean fetch() {
      if (atEnd) {
        finish();
        return false;
      }
      Slice slice = next();
      unsent.addAll(slice.events());
      atEnd = slice.last();
      if (!unsent.isEmpty()) {
        at = unsent.getLast().number();
        silentTicks = 0;
      }
      return !unsent.isEmpty() || atEnd;
    }

    private Slice next() {
      if (local.isPresent()) {
        Slice slice = local.get().after(at, SLICE);
        if (slice != null) {
          return slice;
        }
      }
      Slice kept = kept();
      if (kept.events().isEmpty() && !kept.last() && ++silentTicks >= SILENT_TICKS) {
        silentTicks = 0;
        return abandoned.apply(at).map(events -> new Slice(events, true)).orElse(kept);
      }
      return kept;
    }

    /** What the store has behind the place of this reader, a chunk at a time. */
    private Slice kept() {
      while (true) {
        List<StoredRecord> chunks = records.list(owner, prefix(owner, id), readChunk, 1);
        if (chunks.isEmpty()) {
          return new Slice(List.of(), false);
        }
        readChunk = Optional.of(chunks.get(0).name());
        Map<String, String> chunk = Json.fields(chunks.get(0).json());
        List<Event> events = new ArrayList<>();
        for (String text : Json.elements(chunk.getOrDefault("events", "[]"))) {
          Event event = Event.parse(text);
          if (event.number() > at) {
            events.add(event);
          }
        }
        boolean last = chunk.getOrDefault("last", "false").equals("true");
        if (last || !events.isEmpty()) {
          return new Slice(events, last);
        }
      }
    }
  }

  /** Keeps what is in memory, and stops. */
  @Override
  public void close() {
    clock.shutdownNow();
    running.values().forEach(this::flushQuietly);
  }
}
