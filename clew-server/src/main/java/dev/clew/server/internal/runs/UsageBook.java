package dev.clew.server.internal.runs;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Contended;
import dev.clew.kit.Daemons;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The usage of each owner per day in UTC. Thread-safe; several servers may write, and see each
 * other's additions a moment later. Sample, the document {@code usage/2026-03-04} of an owner:
 *
 * <pre>{@code
 * {"turns":2,"requests":3,"input_tokens":120,"cached_tokens":0,"output_tokens":40,
 *  "reasoning_tokens":0,"models":{"qwen3":{"requests":3,"input_tokens":120,…}}}
 * }</pre>
 */
public final class UsageBook implements AutoCloseable {
  public static final Duration KEPT = Duration.ofDays(400);

  private static final Logger LOG = LoggerFactory.getLogger(UsageBook.class);
  private static final String PREFIX = "usage/";
  private static final int PAGE = 1000;
  private static final long MOMENT_MS = 100;

  private final Documents records;
  private final Clock clock;
  private final Map<Place, Day> waiting = new HashMap<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, Daemons.named("clew-usage"));

  private record Place(String owner, String date) {}

  public UsageBook(Documents records, Clock clock) {
    this.records = records;
    this.clock = clock;
  }

  /**
   * The usage of a day or the sum of several. Immutable.
   *
   * @param models the usage of each model, which earlier versions did not write
   */
  public record Day(String date, long turns, Usage usage, Map<String, Usage> models) {
    public Day {
      models = Collections.unmodifiableMap(new TreeMap<>(models));
    }

    public static Day empty(String date) {
      return new Day(date, 0, Usage.NONE, Map.of());
    }

    /** The sum, with the date of this one. */
    public Day plus(Day other) {
      Map<String, Usage> both = new TreeMap<>(models);
      other.models.forEach((model, used) -> both.merge(model, used, Usage::plus));
      return new Day(date, turns + other.turns, usage.plus(other.usage), both);
    }

    public JsonObject fields(JsonObject into) {
      return fields(usage, into.put("turns", turns));
    }

    public static JsonObject fields(Usage usage, JsonObject into) {
      return into.put("requests", usage.requests())
          .put("input_tokens", usage.inputTokens())
          .put("cached_tokens", usage.cachedTokens())
          .put("output_tokens", usage.outputTokens())
          .put("reasoning_tokens", usage.reasoningTokens());
    }

    private String json() {
      JsonObject each = new JsonObject();
      models.forEach((model, used) -> each.put(model, fields(used, new JsonObject())));
      return fields(new JsonObject()).put("models", each).toString();
    }

    private static Day parse(String date, String json) {
      Map<String, Object> fields = Json.readObject(json);
      Map<String, Usage> models = new TreeMap<>();
      if (fields.get("models") instanceof Map<?, ?> each) {
        each.forEach((model, used) -> models.put(String.valueOf(model), usage((Map<?, ?>) used)));
      }
      return new Day(date, number(fields, "turns"), usage(fields), models);
    }

    private static Usage usage(Map<?, ?> fields) {
      return new Usage(
          (int) number(fields, "requests"),
          number(fields, "input_tokens"),
          number(fields, "cached_tokens"),
          number(fields, "output_tokens"),
          number(fields, "reasoning_tokens"));
    }

    private static long number(Map<?, ?> fields, String name) {
      return fields.get(name) instanceof Number number ? number.longValue() : 0;
    }
  }

  /** Adds to today. It never throws or waits: additions are written together a moment later. */
  public void add(String owner, String model, long turns, Usage usage) {
    Place place = new Place(owner, today().toString());
    Map<String, Usage> models = usage.equals(Usage.NONE) ? Map.of() : Map.of(model, usage);
    Day more = new Day(place.date(), turns, usage, models);
    synchronized (waiting) {
      boolean first = waiting.isEmpty();
      waiting.merge(place, more, Day::plus);
      if (!first) {
        return;
      }
    }
    try {
      var unused = timer.schedule(this::writeAll, MOMENT_MS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) { // the last turns, while the server stops
      writeAll();
    }
  }

  private void writeAll() {
    synchronized (timer) { // a waiting reader finds everything in the store
      Map<Place, Day> all;
      synchronized (waiting) {
        all = new HashMap<>(waiting);
        waiting.clear();
      }
      all.forEach((place, day) -> write(place.owner(), day));
    }
  }

  @Override
  public void close() {
    timer.shutdown();
    writeAll();
  }

  private void write(String owner, Day more) {
    try {
      Contended.repeat(() -> add(owner, more));
    } catch (RuntimeException e) {
      LOG.warn("could not record the usage of a turn: {}", e.toString());
    }
  }

  private Document add(String owner, Day more) {
    String name = PREFIX + more.date();
    Optional<Document> before = records.get(owner, name);
    Day day = before.map(record -> Day.parse(more.date(), record.json()).plus(more)).orElse(more);
    return records.put(
        owner,
        name,
        day.json(),
        OptionalLong.of(before.map(Document::version).orElse(0L)),
        Optional.of(KEPT));
  }

  /** The days with usage among the last so many, newest first. */
  public List<Day> days(String owner, int last) {
    writeAll();
    // Names sort by date, so list from the day before.
    String after = PREFIX + today().minusDays(last);
    List<Day> days = new ArrayList<>();
    for (Document record : records.list(owner, PREFIX, Optional.of(after), PAGE)) {
      days.add(0, Day.parse(record.name().substring(PREFIX.length()), record.json()));
    }
    return days;
  }

  private LocalDate today() {
    return LocalDate.now(clock.withZone(ZoneOffset.UTC));
  }
}
