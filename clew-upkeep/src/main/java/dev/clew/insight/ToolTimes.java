package dev.clew.insight;

import dev.clew.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How often tools were called, and how long they took. Not thread-safe. */
public final class ToolTimes {
  private static final int MOST = 50;

  private final Map<String, Tool> byName = new HashMap<>();
  private final Map<String, Open> open = new HashMap<>();
  private long calls;

  private record Open(String name, Instant at) {}

  /** One tool: its calls, those that were answered, and how long the answers took. Immutable. */
  public record Tool(String name, long calls, long answered, long millis, long longest) {
    private Tool called() {
      return new Tool(name, calls + 1, answered, millis, longest);
    }

    private Tool answeredAfter(long took) {
      return new Tool(name, calls, answered + 1, millis + took, Math.max(longest, took));
    }

    private JsonObject json() {
      return new JsonObject()
          .put("name", name)
          .put("calls", calls)
          .put("answered", answered)
          .put("total_ms", millis)
          .put("longest_ms", longest);
    }
  }

  /** Takes the next item of a session. */
  public void add(Facts.Fact fact) {
    if (fact.kind() == Facts.Kind.CALL) {
      calls++;
      byName.put(fact.name(), tool(fact.name()).called());
      open.put(fact.call(), new Open(fact.name(), fact.at()));
    } else if (fact.kind() == Facts.Kind.RESULT) {
      Open asked = open.remove(fact.call());
      if (asked != null) {
        long took = Math.max(0, Duration.between(asked.at(), fact.at()).toMillis());
        byName.put(asked.name(), tool(asked.name()).answeredAfter(took));
      }
    }
  }

  /** Calls of one session are not answered in another. */
  public void endSession() {
    open.clear();
  }

  private Tool tool(String name) {
    return byName.getOrDefault(name, new Tool(name, 0, 0, 0, 0));
  }

  /** All calls, also those of tools that are too many to be listed. */
  public long calls() {
    return calls;
  }

  /** The busiest first. */
  public List<Tool> busiest() {
    return byName.values().stream()
        .sorted(Comparator.comparingLong(Tool::calls).reversed().thenComparing(Tool::name))
        .limit(MOST)
        .toList();
  }

  /** The same as JSON. */
  public List<JsonObject> json() {
    return busiest().stream().map(Tool::json).toList();
  }
}
