package dev.clew.server.internal.runs;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The events of one run, for readers that may come back. Thread-safe. Adding never waits for
 * readers; each has its own position in the log.
 */
public final class EventLog {
  /** How much of a log stays in memory; older events are read from the store. */
  private static final int MOST_EVENTS = 8192;

  private static final int MOST_CHARS = 8 << 20;
  private static final int MOST_CHUNK_CHARS = 1 << 20;

  /**
   * One event. Immutable.
   *
   * @param number counts from 0
   * @param data JSON text
   */
  public record Event(long number, String name, String data) {
    String json() {
      return new JsonObject().put("number", number).put("name", name).raw("data", data).toString();
    }

    static Event parse(String json) {
      Map<String, String> fields = Json.fields(json);
      return new Event(
          Long.parseLong(fields.getOrDefault("number", "-1")),
          String.valueOf(Json.string(fields.get("name"))),
          fields.getOrDefault("data", "null"));
    }
  }

  private final RunKey key;
  private final List<Event> events = new ArrayList<>();
  private final Set<Runnable> readers = new CopyOnWriteArraySet<>();
  private long firstNumber;
  private long flushed;
  private long chars;
  private long added;
  private boolean ended;
  private boolean endWritten;

  /** The chunk being written, which must not change after a failure. */
  private @Nullable Slice chunk;

  EventLog(RunKey key) {
    this.key = key;
  }

  RunKey key() {
    return key;
  }

  /** The lock for writing the log to the store. */
  Object flushing() {
    return readers;
  }

  /** Adds an event; its data may contain its number. */
  public void add(String name, LongFunction<String> data) {
    synchronized (this) {
      if (ended) {
        return;
      }
      long number = firstNumber + events.size();
      Event event = new Event(number, name, data.apply(number));
      events.add(event);
      chars += event.data().length();
      added += event.data().length();
      shorten();
    }
    readers.forEach(Runnable::run);
  }

  /** The characters of all events so far. */
  public synchronized long added() {
    return added;
  }

  /** Drops the oldest stored events if there are too many. */
  private void shorten() {
    int drop = 0;
    while (events.size() - drop > 1
        && (events.size() - drop > MOST_EVENTS || chars > MOST_CHARS)
        && firstNumber + drop < flushed) {
      chars -= events.get(drop).data().length();
      drop++;
    }
    if (drop > 0) {
      events.subList(0, drop).clear();
      firstNumber += drop;
    }
  }

  void end() {
    synchronized (this) {
      ended = true;
    }
    readers.forEach(Runnable::run);
  }

  /** Some events, and whether they are the last. */
  record Slice(List<Event> events, boolean last) {}

  /** Events after a number; null if the first of them is no longer in memory. */
  synchronized @Nullable Slice after(long number, int most) {
    long from = number + 1;
    if (from < firstNumber) {
      return null;
    }
    int start = (int) Math.min(from - firstNumber, events.size());
    int end = Math.min(start + most, events.size());
    return new Slice(List.copyOf(events.subList(start, end)), ended && end == events.size());
  }

  /** What to write next; null if everything is stored. */
  synchronized @Nullable Slice unwritten() {
    if (chunk == null) {
      int start = (int) (flushed - firstNumber); // only stored events are dropped
      int end = start;
      for (int size = 0; end < events.size() && size < MOST_CHUNK_CHARS; end++) {
        size += events.get(end).data().length();
      }
      boolean last = ended && end == events.size();
      if (end > start || (last && !endWritten)) {
        chunk = new Slice(List.copyOf(events.subList(start, end)), last);
      }
    }
    return chunk;
  }

  synchronized void written(Slice written) {
    chunk = null;
    flushed += written.events().size();
    endWritten = written.last();
  }

  synchronized boolean isInStore() {
    return flushed > 0;
  }

  void subscribe(Runnable reader) {
    readers.add(reader);
  }

  void unsubscribe(Runnable reader) {
    readers.remove(reader);
  }
}
