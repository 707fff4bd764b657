package dev.clew.server.internal.completions;

import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses what OpenAI refuses within a request and other servers let pass: unknown fields of
 * messages, parts, calls and tools, names that no provider takes, values out of range. Stateless.
 */
final class StrictChat {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /** The fields of messages; the reasoning is what this server answers with itself. */
  private static final Map<String, Set<String>> MESSAGES =
      Map.of(
          "system", Set.of("role", "content", "name"),
          "developer", Set.of("role", "content", "name"),
          "user", Set.of("role", "content", "name"),
          "tool", Set.of("role", "content", "tool_call_id"),
          "function", Set.of("role", "content", "name"),
          "assistant",
              Set.of(
                  "role",
                  "content",
                  "name",
                  "refusal",
                  "audio",
                  "annotations",
                  "tool_calls",
                  "function_call",
                  "reasoning",
                  "reasoning_content"));

  /** The fields of the object that a part or a tool has under the name of its type. */
  private static final Map<String, Set<String>> INNER =
      Map.of(
          "image_url", Set.of("url", "detail"),
          "input_audio", Set.of("data", "format"),
          "file", Set.of("file_id", "file_data", "filename"));

  private static final Map<String, Set<String>> TOOLS =
      Map.of(
          "function", Set.of("name", "description", "parameters", "strict"),
          "custom", Set.of("name", "description", "format"));

  private static final Map<String, Set<String>> CALLS =
      Map.of("function", Set.of("name", "arguments"), "custom", Set.of("name", "input"));

  private StrictChat() {}

  /** Checks a request that was read already. */
  static void check(Fields fields) {
    for (Fields message : fields.objects("messages")) {
      message.checkKnown(MESSAGES.getOrDefault(message.needText("role"), Set.of()));
      if (message.rawOr("content", "").startsWith("[")) {
        message.objects("content").forEach(part -> typed(part, INNER, Set.of()));
      }
      message.objects("tool_calls").forEach(call -> typed(call, CALLS, Set.of("id", "index")));
      message
          .object("function_call")
          .ifPresent(call -> call.checkKnown(CALLS.getOrDefault("function", Set.of())));
    }
    List<Fields> named = new ArrayList<>(fields.objects("functions"));
    named.forEach(function -> function.checkKnown(TOOLS.getOrDefault("function", Set.of())));
    for (Fields tool : fields.objects("tools")) {
      typed(tool, TOOLS, Set.of());
      tool.object(tool.needText("type")).ifPresent(named::add);
    }
    named.forEach(StrictChat::checkName);
    fields.whole("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    fields
        .object("logit_bias")
        .ifPresent(bias -> bias.raw().keySet().forEach(each -> bias.checkDecimal(each, -100, 100)));
  }

  /** An object with a type, and a field of that name. */
  private static void typed(Fields object, Map<String, Set<String>> inner, Set<String> more) {
    String type = object.text("type").orElse("function");
    Set<String> known = new HashSet<>(more);
    known.add("type");
    known.add(type); // the text, or the object
    object.checkKnown(known);
    if (inner.containsKey(type) && object.rawOr(type, "").startsWith("{")) {
      object.object(type).ifPresent(each -> each.checkKnown(inner.getOrDefault(type, Set.of())));
    }
  }

  private static void checkName(Fields function) {
    String name = function.needText("name");
    if (!NAME.matcher(name).matches()) {
      throw Problem.invalidValue(
          function.path("name"), "a name is 1 to 64 letters (A to Z), digits, _ and -");
    }
  }
}
