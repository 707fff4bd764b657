package dev.clew.server.internal.runs;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.json.Json;
import dev.clew.server.internal.runs.EventLog.Event;
import dev.clew.server.internal.runs.EventLog.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reader of a log, in memory if the run is here, else in the store. Thread-safe. */
final class LogReader implements EventLogs.Following {
  private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);
  private static final int SLICE = 256;

  /** How many silent ticks before asking whether the run is still alive. */
  private static final int SILENT_TICKS = 8;

  private final Documents records;
  private final BiConsumer<String, Runnable> atNextTick;
  private final RunKey key;
  private final Optional<EventLog> local;
  private final EventLogs.Outlet outlet;
  private final LongFunction<Optional<List<Event>>> abandoned;
  private final Deque<Event> unsent = new ArrayDeque<>();
  private Optional<String> readChunk = Optional.empty();
  private long at;
  private boolean atEnd;
  private int silentTicks;
  private volatile boolean stopped;

  LogReader(
      Documents records,
      BiConsumer<String, Runnable> atNextTick,
      RunKey key,
      Optional<EventLog> local,
      long after,
      EventLogs.Outlet outlet,
      LongFunction<Optional<List<Event>>> abandoned) {
    this.records = records;
    this.atNextTick = atNextTick;
    this.key = key;
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
    if (stopped) {
      return;
    }
    try {
      atNextTick.accept(key.owner(), this::runAndTick);
    } catch (RejectedExecutionException e) {
      finish(); // the server stops
    }
  }

  private void runAndTick() {
    run();
    tick();
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
        outlet.flush();
        if (!unsent.isEmpty()) {
          return; // runs again when there is room
        }
      }
    } catch (RuntimeException e) { // a reader's failure must not affect the run
      LOG.warn("could not read the events of run {}: {}", key.id(), e.toString());
      finish();
    }
  }

  private void finish() {
    close();
    outlet.end();
  }

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

  /** The stored events after this reader's position, a chunk at a time. */
  private Slice kept() {
    while (true) {
      List<Document> chunks = records.list(key.owner(), key.prefix(), readChunk, 1);
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
