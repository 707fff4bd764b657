package dev.clew.openai;

import dev.clew.agent.ModelRequest;
import dev.clew.agent.OutputSchema;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request of a run as the Responses API takes it. Stateless. */
final class ResponsesRequest {
  /** What a run decides itself, or what is written in a way of its own. */
  private static final Set<String> OWN =
      Set.of("model", "instructions", "input", "stream", "tools", "tool_choice", "text");

  private static final Set<String> CHOICES = Set.of("auto", "none", "required");
  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^A-Za-z0-9_-]");

  private ResponsesRequest() {}

  static String json(ModelRequest request, String model, boolean stream) {
    JsonObject out = new JsonObject().put("model", model);
    if (!request.instructions().isEmpty()) {
      out.put("instructions", request.instructions());
    }
    out.array("input", ResponsesInput.of(request.input()));
    Map<String, Object> settings = request.settings().fields();
    List<String> tools = tools(request.tools(), settings.get("tools"));
    if (!tools.isEmpty()) {
      out.array("tools", tools);
    }
    Object choice = settings.get("tool_choice");
    if (choice != null && !tools.isEmpty()) {
      out.raw("tool_choice", toolChoice(choice));
    }
    if (request.outputSchema().isPresent()) {
      out.raw("text", text(request.outputSchema().get(), settings.get("text")));
    } else if (settings.containsKey("text")) {
      out.put("text", settings.get("text"));
    }
    request.conversationId().ifPresent(id -> out.put("conversation", id));
    request.previousResponseId().ifPresent(id -> out.put("previous_response_id", id));
    settings.forEach(
        (name, value) -> {
          if (!OWN.contains(name)) {
            out.put(name, value);
          }
        });
    if (Boolean.FALSE.equals(settings.get("store")) && !settings.containsKey("include")) {
      // What the server does not keep it can only be reminded of in this form.
      out.raw("include", "[\"reasoning.encrypted_content\"]");
    }
    if (stream) {
      out.raw("stream", "true");
    }
    return out.json();
  }

  /** The tools of the agent, and those of the provider that the settings ask for. */
  private static List<String> tools(List<ToolSpec> specs, @Nullable Object others) {
    List<String> tools = new ArrayList<>();
    for (ToolSpec spec : specs) {
      tools.add(
          new JsonObject()
              .put("type", "function")
              .put("name", spec.name())
              .put("description", spec.description())
              .raw("parameters", spec.parameters())
              .put("strict", spec.strict())
              .json());
    }
    if (others instanceof Iterable<?> list) {
      list.forEach(each -> tools.add(Json.write(each)));
    }
    return tools;
  }

  private static String toolChoice(Object choice) {
    return choice instanceof String name && !CHOICES.contains(name)
        ? new JsonObject().put("type", "function").put("name", name).json()
        : Json.write(choice);
  }

  private static String text(OutputSchema schema, @Nullable Object others) {
    JsonObject out = new JsonObject();
    if (others instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            if (!"format".equals(name)) {
              out.put(String.valueOf(name), value);
            }
          });
    }
    return out.raw("format", schemaFields(new JsonObject().put("type", "json_schema"), schema))
        .json();
  }

  static String schemaFields(JsonObject out, OutputSchema schema) {
    String name = NOT_IN_NAMES.matcher(schema.name()).replaceAll("_");
    return out.put("name", name.isEmpty() ? "answer" : name)
        .raw("schema", schema.schema())
        .put("strict", schema.strict())
        .json();
  }
}
