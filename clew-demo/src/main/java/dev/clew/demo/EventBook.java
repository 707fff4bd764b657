package dev.clew.demo;

import dev.clew.json.Json;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events of one owner. Immutable.
 *
 * <p>As a document it looks so; ids are never used twice, because old conversations still name
 * them:
 *
 * <pre>{@code
 * {"next":3,"events":[
 *   {"id":"evt_1","title":"开会","start":"2026-03-11T14:00+08:00","minutes":null},
 *   {"id":"evt_2","title":"lunch","start":"2026-03-12T12:00+08:00","minutes":60}]}
 * }</pre>
 *
 * @param next the number of the next event
 * @param entries the events there are
 */
record EventBook(int next, List<Entry> entries) {
  static final EventBook EMPTY = new EventBook(1, List.of());
  private static final int MOST = 1000;

  /** An event at a moment that does not depend on where the assistant is. */
  record Entry(String id, String title, OffsetDateTime start, @Nullable Integer minutes) {
    Event in(ZoneId zone) {
      return new Event(id, title, start.atZoneSameInstant(zone).toLocalDateTime(), minutes);
    }
  }

  /** What a change makes of the book, and its answer. */
  record Changed<T>(EventBook book, T answer) {}

  /** The book with one more event, and that event. */
  Changed<Entry> add(String title, OffsetDateTime start, @Nullable Integer minutes) {
    if (entries.size() >= MOST) {
      throw new IllegalStateException(
          "the schedule is full (" + MOST + " events); cancel some that are over");
    }
    Entry entry = new Entry("evt_" + next, title, start, minutes);
    return new Changed<>(with(entry, next + 1), entry);
  }

  Entry get(String id) {
    return entries.stream()
        .filter(entry -> entry.id().equals(id))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("there is no event " + id + " any more; list them"));
  }

  EventBook without(String id) {
    return new EventBook(next, entries.stream().filter(entry -> !entry.id().equals(id)).toList());
  }

  EventBook with(Entry changed) {
    return without(changed.id()).with(changed, next);
  }

  private EventBook with(Entry entry, int nextNumber) {
    return new EventBook(
        nextNumber,
        Stream.concat(entries.stream(), Stream.of(entry))
            .sorted(
                Comparator.comparing((Entry each) -> each.start().toInstant())
                    .thenComparing(Entry::id))
            .toList());
  }

  String toJson() {
    List<Map<String, @Nullable Object>> events = new ArrayList<>();
    for (Entry entry : entries) {
      Map<String, @Nullable Object> event = new LinkedHashMap<>();
      event.put("id", entry.id());
      event.put("title", entry.title());
      event.put("start", entry.start().toString());
      event.put("minutes", entry.minutes());
      events.add(event);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("next", next);
    json.put("events", events);
    return Json.write(json);
  }

  static EventBook of(Optional<String> document) {
    if (document.isEmpty()) {
      return EMPTY;
    }
    Map<String, Object> json = Json.readObject(document.get());
    List<Entry> entries = new ArrayList<>();
    for (Object each : (List<?>) Objects.requireNonNull(json.get("events"))) {
      Map<?, ?> event = (Map<?, ?>) Objects.requireNonNull(each);
      entries.add(
          new Entry(
              (String) Objects.requireNonNull(event.get("id")),
              (String) Objects.requireNonNull(event.get("title")),
              OffsetDateTime.parse((String) Objects.requireNonNull(event.get("start"))),
              event.get("minutes") instanceof Number n ? n.intValue() : null));
    }
    return new EventBook(
        ((Number) Objects.requireNonNull(json.get("next"))).intValue(), List.copyOf(entries));
  }
}
