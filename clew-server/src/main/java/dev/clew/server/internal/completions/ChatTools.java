package dev.clew.server.internal.completions;

import dev.clew.agent.Model;
import dev.clew.agent.ToolSpec;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tools of a request, which the client runs. Stateless. */
final class ChatTools {
  private static final String NO_PARAMETERS = "{\"type\":\"object\",\"properties\":{}}";
  private static final List<String> MODES = List.of("none", "auto", "required");

  private ChatTools() {}

  static void check(Fields fields) {
    for (Fields tool : fields.objects("tools")) {
      String type = tool.needText("type");
      if (!type.equals("function") && !type.equals("custom")) {
        throw Problem.unsupported(tool.path("type"), type, List.of("function", "custom"));
      }
      tool.needRaw(type);
      checkFunction(tool.object(type).orElseThrow());
    }
    fields.objects("functions").forEach(ChatTools::checkFunction);
    var unused = choice(fields);
  }

  private static void checkFunction(Fields function) {
    function.needText("name");
    function.text("description");
    function.object("parameters");
    function.flag("strict");
  }

  /** Refuses tools that a model does not take. */
  static void checkRunnable(Fields fields, Model model) {
    List<Fields> tools = fields.objects("tools");
    for (int i = 0; i < tools.size(); i++) {
      String type = tools.get(i).needText("type");
      if (!type.equals("function") && !model.takesTools(type)) {
        String name = tools.get(i).object(type).orElseThrow().needText("name");
        throw refused("tools[" + i + "]", "the tool '" + name + "' (" + type + ")");
      }
    }
    if (fields.has("web_search_options") && !model.takesTools("web_search")) {
      throw refused("web_search_options", "a web search");
    }
  }

  private static Problem refused(String param, String what) {
    return Problem.invalid(
        "unsupported_value",
        param,
        "The model cannot run "
            + what
            + ": it takes function tools only. Remove it, or use a model that runs it.");
  }

  static List<ToolSpec> functions(Fields fields) {
    Set<String> allowed = allowed(fields);
    List<ToolSpec> functions = new ArrayList<>();
    for (Fields tool : fields.objects("tools")) {
      tool.object("function").map(ChatTools::function).ifPresent(functions::add);
    }
    fields.objects("functions").forEach(each -> functions.add(function(each)));
    functions.removeIf(each -> !allowed.isEmpty() && !allowed.contains(each.name()));
    return functions;
  }

  private static ToolSpec function(Fields function) {
    return new ToolSpec(
        function.needText("name"),
        function.text("description").orElse(""),
        function.rawOr("parameters", NO_PARAMETERS),
        function.flag("strict", false));
  }

  /** Tools that are not functions, as the Responses API writes them. */
  static List<Object> others(Fields fields) {
    Set<String> allowed = allowed(fields);
    List<Object> others = new ArrayList<>();
    for (Fields tool : fields.objects("tools")) {
      if (tool.needText("type").equals("custom")) {
        Fields custom = tool.object("custom").orElseThrow();
        String name = custom.needText("name");
        if (allowed.isEmpty() || allowed.contains(name)) {
          Map<String, Object> out = new LinkedHashMap<>();
          out.put("type", "custom");
          out.put("name", name);
          custom.text("description").ifPresent(text -> out.put("description", text));
          custom.value("format").ifPresent(format -> out.put("format", flat(format)));
          others.add(out);
        }
      }
    }
    fields.value("web_search_options").ifPresent(options -> others.add(search(options)));
    return others;
  }

  private static Object search(@Nullable Object options) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("type", "web_search");
    if (options instanceof Map<?, ?> map) {
      map.forEach((name, value) -> out.put(String.valueOf(name), value));
    }
    return out;
  }

  /** Here a grammar is an object of its own; there it is not. */
  private static Object flat(Object format) {
    if (format instanceof Map<?, ?> map && map.get("grammar") instanceof Map<?, ?> grammar) {
      Map<Object, Object> out = new LinkedHashMap<>(grammar);
      out.put("type", "grammar");
      return out;
    }
    return format;
  }

  /** What the model should call: a word, or the name of a function. */
  static Optional<Object> choice(Fields fields) {
    String field = fields.has("tool_choice") ? "tool_choice" : "function_call";
    Optional<String> raw = fields.raw(field);
    if (raw.isEmpty()) {
      return Optional.empty();
    }
    if (raw.get().startsWith("\"")) {
      return fields.word(field, MODES.toArray(String[]::new)).map(word -> word);
    }
    if (!raw.get().startsWith("{")) {
      throw Problem.wrongType(field, "a string or an object", raw.get());
    }
    Fields choice = fields.object(field).orElseThrow();
    if (field.equals("function_call")) {
      return Optional.of(choice.needText("name"));
    }
    String type = choice.needText("type");
    switch (type) {
      case "function", "custom" -> {
        choice.needRaw(type);
        String name = choice.object(type).orElseThrow().needText("name");
        return Optional.of(type.equals("function") ? name : Map.of("type", "custom", "name", name));
      }
      case "allowed_tools" -> {
        choice.needRaw(type);
        Fields allowed = choice.object(type).orElseThrow();
        return allowed.word("mode", "auto", "required").map(word -> word);
      }
      default ->
          throw Problem.unsupported(
              choice.path("type"), type, List.of("function", "custom", "allowed_tools"));
    }
  }

  /** The names of the tools that the choice leaves; empty for all of them. */
  private static Set<String> allowed(Fields fields) {
    Set<String> names = new HashSet<>();
    fields
        .raw("tool_choice")
        .filter(raw -> raw.startsWith("{"))
        .flatMap(raw -> fields.object("tool_choice"))
        .flatMap(choice -> choice.object("allowed_tools"))
        .ifPresent(
            allowed -> {
              for (Fields tool : allowed.objects("tools")) {
                tool.object(tool.needText("type"))
                    .flatMap(each -> each.text("name"))
                    .ifPresent(names::add);
              }
            });
    return names;
  }
}
