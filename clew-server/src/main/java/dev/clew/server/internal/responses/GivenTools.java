package dev.clew.server.internal.responses;

import dev.clew.agent.Model;
import dev.clew.agent.ToolSpec;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The tools of a request: functions that the client runs, and others for the model. Stateless. */
final class GivenTools {
  private static final String NO_PARAMETERS = "{\"type\":\"object\",\"properties\":{}}";

  private GivenTools() {}

  static void check(Fields fields) {
    checkEach(fields);
    others(fields, true);
    Optional<String> choice = fields.raw("tool_choice");
    if (choice.isPresent() && choice.get().startsWith("\"")) {
      fields.word("tool_choice", "none", "auto", "required");
    } else if (choice.isPresent()) {
      if (!choice.get().startsWith("{")) {
        throw Problem.wrongType("tool_choice", "a string or an object", choice.get());
      }
      Fields.at("tool_choice", choice.get()).needText("type");
      fields.value("tool_choice");
    }
  }

  private static void checkEach(Fields fields) {
    for (Fields tool : fields.objects("tools")) {
      switch (tool.needText("type")) {
        case "function" -> function(tool);
        case "custom" -> {
          tool.needText("name");
          tool.text("description");
        }
        case Namespaces.TYPE -> {
          tool.needText("name");
          tool.text("description");
          checkEach(tool);
        }
        default -> {
          // Passed on, if the model takes it.
        }
      }
    }
  }

  /** Refuses tools that a model cannot run. */
  static void checkRunnable(Fields fields, Model model) {
    // Whoever may call an MCP server is found out later.
    checkRunnable(fields, type -> type.equals("mcp") || model.takesTools(type), true);
  }

  private static void checkRunnable(Fields fields, Predicate<String> taken, boolean namespaces) {
    List<Fields> tools = fields.objects("tools");
    for (int i = 0; i < tools.size(); i++) {
      Fields tool = tools.get(i);
      String type = tool.needText("type");
      if (isFunction(tool) || taken.test(type)) {
        continue;
      }
      if (namespaces && Namespaces.is(tool)) {
        checkRunnable(tool, within -> false, false);
      } else {
        String name =
            tool.text("name").map(text -> "'" + text + "' (" + type + ")").orElse("'" + type + "'");
        throw Problem.invalid(
            "unsupported_value",
            fields.path("tools[" + i + "]"),
            "The model cannot run the tool "
                + name
                + ": it takes function tools only. Remove the tool, or use a model of a server that"
                + " runs it.");
      }
    }
  }

  static List<ToolSpec> functions(Fields fields) {
    List<ToolSpec> functions = new ArrayList<>();
    for (Fields tool : fields.objects("tools")) {
      if (isFunction(tool)) {
        functions.add(function(tool));
      }
    }
    return functions;
  }

  static ToolSpec function(Fields tool) {
    tool.object("parameters");
    return new ToolSpec(
        tool.needText("name"),
        tool.text("description").orElse(""),
        tool.rawOr("parameters", NO_PARAMETERS),
        tool.flag("strict", true));
  }

  /** Instructions that also say what the tools of a server or a namespace are for. */
  static String introduce(String instructions, String name, String description) {
    return description.isEmpty()
        ? instructions
        : instructions
            + (instructions.isEmpty() ? "" : "\n\n")
            + "The tools whose names begin with "
            + ToolSpec.nameOf(name, "")
            + ": "
            + description;
  }

  /**
   * Tools that are not functions, unchanged.
   *
   * @param namespaces whether these are among them
   */
  static List<Object> others(Fields fields, boolean namespaces) {
    List<Object> others = new ArrayList<>();
    List<String> raw = fields.array("tools");
    List<Fields> tools = fields.objects("tools");
    for (int i = 0; i < tools.size(); i++) {
      if (!isFunction(tools.get(i)) && (namespaces || !Namespaces.is(tools.get(i)))) {
        Object value = Fields.valueAt("tools[" + i + "]", raw.get(i));
        if (value != null) {
          others.add(value);
        }
      }
    }
    return others;
  }

  static boolean isFunction(Fields tool) {
    return tool.needText("type").equals("function");
  }

  /** The tool choice as models take it: a word, the name of a function, or unchanged. */
  static Optional<Object> choice(Fields fields) {
    Optional<String> raw = fields.raw("tool_choice");
    if (raw.isPresent() && raw.get().startsWith("{")) {
      Fields object = fields.object("tool_choice").orElseThrow();
      if (object.needText("type").equals("function") && object.has("name")) {
        return Optional.of(object.needText("name"));
      }
    }
    return fields.value("tool_choice");
  }
}
