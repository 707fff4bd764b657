package dev.clew.insight;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * What happened in the sessions of an owner on each day, of UTC. Not thread-safe. The sessions that
 * were changed last are looked at first, so that what a budget leaves out is the oldest.
 */
public final class StoreInsight {
  private static final int MOST_PAGES = 100;

  /** The name of the period that a day belongs to. */
  public interface Period {
    /** Of a day of UTC. */
    LocalDate of(LocalDate day);
  }

  private final SessionStore store;
  private final Facts facts;
  private final Instant since;
  private final Period period;
  private final int mostPages;
  private final Map<LocalDate, Day> days = new TreeMap<>(Comparator.reverseOrder());
  private final ToolTimes tools = new ToolTimes();
  private long sessions;
  private long damaged;
  private boolean partial;

  /**
   * What happened on a day, or in a longer period. Immutable.
   *
   * @param sessions how many were made
   * @param bytes about how much was added
   */
  public record Day(long sessions, long messages, long inputTokens, long outputTokens, long bytes) {
    private Day plus(Day other) {
      return new Day(
          sessions + other.sessions,
          messages + other.messages,
          inputTokens + other.inputTokens,
          outputTokens + other.outputTokens,
          bytes + other.bytes);
    }
  }

  /** By day, for an answer in bounded time. */
  public StoreInsight(SessionStore store, Facts facts, Instant since) {
    this(store, facts, since, day -> day, MOST_PAGES);
  }

  private StoreInsight(
      SessionStore store, Facts facts, Instant since, Period period, int mostPages) {
    this.store = store;
    this.facts = facts;
    this.since = since;
    this.period = period;
    this.mostPages = mostPages;
  }

  /** By periods, of everything. */
  public static StoreInsight unlimited(SessionStore store, Instant since, Period period) {
    return new StoreInsight(store, Facts.unlimited(store), since, period, Integer.MAX_VALUE);
  }

  /** Counts the sessions of an owner. */
  public void count(String owner) {
    count(owner, items -> {});
  }

  /** The same, telling again and again how many items were read. */
  public void count(String owner, LongConsumer progress) {
    SessionQuery query =
        SessionQuery.of(owner)
            .limit(SessionQuery.MAX_LIMIT)
            .updatedAfter(since.minusNanos(1)); // and at it
    Optional<String> next = Optional.empty();
    int pages = 0;
    do {
      SessionPage page = store.list(next.map(query::cursor).orElse(query));
      for (SessionInfo info : page.sessions()) {
        add(info);
        progress.accept(facts.items());
      }
      next = page.next();
    } while (next.isPresent() && ++pages < mostPages);
    partial |= next.isPresent();
  }

  private void add(SessionInfo info) {
    sessions++;
    Instant begun = info.createdAt();
    if (!begun.isBefore(since)) {
      add(begun, new Day(1, 0, 0, 0, 0));
    }
    if (info.itemCount() == 0) {
      return;
    }
    if (facts.isUsedUp()) {
      partial = true;
      return;
    }
    Facts.Read read;
    try {
      read = facts.of(info, since);
    } catch (ClewException.CorruptRecord e) {
      damaged++;
      partial = true;
      return;
    }
    partial |= !read.complete();
    for (Facts.Fact fact : read.facts()) {
      if (!fact.at().isBefore(since)) {
        tools.add(fact);
        add(
            fact.at(),
            new Day(
                0,
                fact.isMessage() ? 1 : 0,
                fact.inputTokens(),
                fact.outputTokens(),
                fact.bytes()));
      }
    }
    tools.endSession();
  }

  private void add(Instant at, Day more) {
    days.merge(period.of(LocalDate.ofInstant(at, ZoneOffset.UTC)), more, Day::plus);
  }

  /** What happened in each period in which something did, the newest first. */
  public Map<LocalDate, Day> days() {
    return days;
  }

  /** How many sessions are left out because they cannot be read. */
  public long damaged() {
    return damaged;
  }

  /** The tools that were called. */
  public ToolTimes tools() {
    return tools;
  }

  /** Everything, as the page and programs read it. */
  public JsonObject json() {
    List<JsonObject> data =
        days.entrySet().stream()
            .map(
                day ->
                    new JsonObject()
                        .put("date", day.getKey().toString())
                        .put("sessions", day.getValue().sessions())
                        .put("messages", day.getValue().messages())
                        .put("input_tokens", day.getValue().inputTokens())
                        .put("output_tokens", day.getValue().outputTokens())
                        .put("bytes", day.getValue().bytes()))
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
