package dev.clew.demo;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The items of a request as turns: what the user said, and what tools answered. Immutable. */
record Conversation(List<Turn> turns) {
  /** How a summary of earlier turns begins, and in it what the user said. */
  private static final String SUMMARY = "Summary of the conversation so far:";

  private static final String USER_SAID = "user: ";

  /** What a tool was asked and what it answered. */
  record Result(String tool, Map<String, Object> arguments, String output) {

    /** The answer as an object, if it is one: a failure and a refusal are plain text. */
    Optional<Map<String, Object>> json() {
      try {
        return output.startsWith("{") ? Optional.of(Json.readObject(output)) : Optional.empty();
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    boolean failed() {
      return output.startsWith("Error:");
    }

    /** The events in the answer. */
    List<Event> events() {
      List<Event> events = new ArrayList<>();
      json()
          .ifPresent(
              answer -> {
                if (answer.get("events") instanceof List<?> list) {
                  list.forEach(each -> Event.of(each).ifPresent(events::add));
                } else {
                  Event.of(answer).ifPresent(events::add);
                }
              });
      return events;
    }
  }

  /** A user's message and what tools answered until the next one. */
  record Turn(String user, List<Result> results) {
    List<Result> results(String tool) {
      return results.stream().filter(result -> result.tool().equals(tool)).toList();
    }

    Optional<Result> result(String tool) {
      List<Result> all = results(tool);
      return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }
  }

  static Conversation of(List<Item> items) {
    List<Turn> turns = new ArrayList<>();
    Map<String, View.FunctionCall> calls = new LinkedHashMap<>();
    @Nullable String user = null;
    List<Result> results = new ArrayList<>();
    for (Item item : items) {
      View view = item.view();
      if (view instanceof View.Message message && message.role() == Role.USER) {
        if (user != null) {
          turns.add(new Turn(user, List.copyOf(results)));
        }
        user = message.text();
        results.clear();
        if (user.startsWith(SUMMARY)) {
          turns.addAll(summarised(user));
          user = null;
        }
      } else if (view instanceof View.FunctionCall call) {
        calls.put(call.callId(), call);
      } else if (view instanceof View.FunctionCallOutput output
          && calls.containsKey(output.callId())) {
        View.FunctionCall call = calls.get(output.callId());
        results.add(new Result(call.name(), arguments(call.arguments()), output.text()));
      }
    }
    if (user != null) {
      turns.add(new Turn(user, List.copyOf(results)));
    }
    return new Conversation(List.copyOf(turns));
  }

  /** The turns that our own summaries quote; what tools did in them is lost. */
  private static List<Turn> summarised(String summary) {
    return summary
        .lines()
        .filter(line -> line.startsWith(USER_SAID))
        .map(line -> new Turn(line.substring(USER_SAID.length()), List.of()))
        .toList();
  }

  private static Map<String, Object> arguments(String json) {
    try {
      return Json.readObject(json);
    } catch (IllegalArgumentException e) {
      return Map.of();
    }
  }
}
