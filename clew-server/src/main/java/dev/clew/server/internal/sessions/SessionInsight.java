package dev.clew.server.internal.sessions;

import dev.clew.SessionInfo;
import dev.clew.agent.Usage;
import dev.clew.insight.Facts;
import dev.clew.insight.ToolTimes;
import dev.clew.json.JsonObject;
import dev.clew.server.settings.PriceSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Statistics of one session. Not thread-safe. */
final class SessionInsight {
  static final int MOST_TURNS = 200;

  private static final long[] PAUSE_SECONDS = {10, 60, 600, 3600, 86_400};

  private final ToolTimes tools = new ToolTimes();
  private final List<Turn> turns = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private @Nullable Instant lastMessage;
  private @Nullable Turn turn;
  private long user;
  private long assistant;
  private long compactions;
  private long inputTokens;
  private long outputTokens;
  private final Map<String, Usage> models = new TreeMap<>();
  private final PriceSettings prices;

  SessionInsight(PriceSettings prices) {
    this.prices = prices;
  }

  /** A user's message and what follows it. Not thread-safe. */
  private static final class Turn {
    private final Instant at;
    private Instant end;
    private long input;
    private long output;
    private long calls;
    private final Map<String, Usage> models = new TreeMap<>();

    Turn(Instant at) {
      this.at = at;
      this.end = at;
    }

    void add(Facts.Fact fact) {
      end = fact.at();
      input += fact.inputTokens();
      output += fact.outputTokens();
      calls += fact.kind() == Facts.Kind.CALL ? 1 : 0;
      SessionInsight.add(models, fact);
    }

    JsonObject json(PriceSettings prices) {
      JsonObject json = new JsonObject();
      Costs.put(json, prices, models);
      return json.put("at", SessionJson.time(at))
          .put("input_tokens", input)
          .put("output_tokens", output)
          .put("tool_calls", calls)
          .put("duration_ms", Math.max(0, Duration.between(at, end).toMillis()));
    }
  }

  private static void add(Map<String, Usage> models, Facts.Fact fact) {
    if (fact.inputTokens() + fact.outputTokens() > 0) {
      Usage used = new Usage(1, fact.inputTokens(), fact.cachedTokens(), fact.outputTokens(), 0);
      models.merge(fact.model(), used, Usage::plus);
    }
  }

  void add(Facts.Fact fact) {
    tools.add(fact);
    add(models, fact);
    inputTokens += fact.inputTokens();
    outputTokens += fact.outputTokens();
    switch (fact.kind()) {
      case USER -> {
        user++;
        turn = new Turn(fact.at());
        turns.add(turn);
      }
      case ASSISTANT -> assistant++;
      case COMPACTION -> compactions++;
      default -> {
        // Counted only as items.
      }
    }
    if (turn != null) {
      turn.add(fact);
    }
    if (fact.isMessage()) {
      if (lastMessage != null) {
        pauses.add(Math.max(0, Duration.between(lastMessage, fact.at()).toMillis()));
      }
      lastMessage = fact.at();
    }
  }

  JsonObject json(SessionInfo info, int counted, boolean partial) {
    List<JsonObject> newest =
        turns.subList(Math.max(0, turns.size() - MOST_TURNS), turns.size()).stream()
            .map(each -> each.json(prices))
            .toList();
    JsonObject json = new JsonObject();
    Costs.put(json, prices, models);
    Costs.putCurrency(json, prices);
    return json.put("session_id", info.key().id())
        .put("title", info.title())
        .put("created_at", SessionJson.time(info.createdAt()))
        .put("updated_at", SessionJson.time(info.updatedAt()))
        .put("items", info.itemCount())
        .put("bytes", info.bytes())
        .put("turns", turns.size())
        .put("user_messages", user)
        .put("assistant_messages", assistant)
        .put("compactions", compactions)
        .put("input_tokens", inputTokens)
        .put("output_tokens", outputTokens)
        .putAll("models", Costs.ofModels(prices, models))
        .put("tool_calls", tools.calls())
        .putAll("tools", tools.json())
        .put("pauses", pauses())
        .putAll("data", newest)
        .put("counted", new JsonObject().put("items", counted).put("partial", partial));
  }

  private JsonObject pauses() {
    Collections.sort(pauses);
    List<JsonObject> ranges = new ArrayList<>();
    int below = 0;
    for (long seconds : PAUSE_SECONDS) {
      int from = below;
      while (below < pauses.size() && pauses.get(below) < seconds * 1000) {
        below++;
      }
      ranges.add(range(seconds, below - from));
    }
    ranges.add(range(null, pauses.size() - below));
    boolean none = pauses.isEmpty();
    return new JsonObject()
        .put("median_ms", none ? null : pauses.get(pauses.size() / 2))
        .put("longest_ms", none ? null : pauses.get(pauses.size() - 1))
        .putAll("ranges", ranges);
  }

  private static JsonObject range(@Nullable Long below, int count) {
    return new JsonObject().put("below_seconds", below).put("count", count);
  }
}
