package dev.clew.server.sessions;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.internal.JsonObject;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What happened in the sessions of an owner on each day, of UTC. Not thread-safe. The sessions that
 * were changed last are looked at first, so that what a budget leaves out is the oldest.
 */
final class StoreInsight {
  private static final int MOST_PAGES = 100;

  private final SessionStore store;
  private final Facts facts;
  private final Instant since;
  private final Map<String, Day> days = new TreeMap<>(Comparator.reverseOrder());
  private final ToolTimes tools = new ToolTimes();
  private long sessions;
  private boolean partial;

  private record Day(long sessions, long messages) {
    Day plus(Day other) {
      return new Day(sessions + other.sessions, messages + other.messages);
    }
  }

  StoreInsight(SessionStore store, Facts facts, Instant since) {
    this.store = store;
    this.facts = facts;
    this.since = since;
  }

  void count(String owner) {
    SessionQuery query =
        SessionQuery.of(owner)
            .limit(SessionQuery.MAX_LIMIT)
            .updatedAfter(since.minusNanos(1)); // and at it
    Optional<String> next = Optional.empty();
    int pages = 0;
    do {
      SessionPage page = store.list(next.map(query::cursor).orElse(query));
      page.sessions().forEach(this::add);
      next = page.next();
    } while (next.isPresent() && ++pages < MOST_PAGES);
    partial |= next.isPresent();
  }

  private void add(SessionInfo info) {
    sessions++;
    if (!info.createdAt().isBefore(since)) {
      add(info.createdAt(), new Day(1, 0));
    }
    if (info.itemCount() == 0) {
      return;
    }
    if (facts.isUsedUp()) {
      partial = true;
      return;
    }
    Facts.Read read = facts.of(info, since);
    partial |= !read.complete();
    for (Facts.Fact fact : read.facts()) {
      if (!fact.at().isBefore(since)) {
        tools.add(fact);
        if (fact.isMessage()) {
          add(fact.at(), new Day(0, 1));
        }
      }
    }
    tools.endSession();
  }

  private void add(Instant at, Day more) {
    days.merge(LocalDate.ofInstant(at, ZoneOffset.UTC).toString(), more, Day::plus);
  }

  JsonObject json() {
    List<JsonObject> data =
        days.entrySet().stream()
            .map(
                day ->
                    new JsonObject()
                        .put("date", day.getKey())
                        .put("sessions", day.getValue().sessions())
                        .put("messages", day.getValue().messages()))
            .toList();
    return new JsonObject()
        .putAll("data", data)
        .put("tool_calls", tools.calls())
        .putAll("tools", tools.json())
        .put(
            "counted",
            new JsonObject()
                .put("sessions", sessions)
                .put("items", facts.items())
                .put("partial", partial));
  }
}
