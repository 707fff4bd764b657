package dev.clew;

import dev.clew.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@link View}s out of JSON text that is known to be valid. Stateless. */
final class Views {
  private Views() {}

  static View of(String type, String json) {
    Map<String, String> fields = Json.fields(json);
    Optional<View> view =
        switch (type) {
          case "message" -> message(fields);
          case "function_call" -> functionCall(fields);
          case "function_call_output" -> functionCallOutput(fields);
          case "reasoning" -> Optional.of(reasoning(fields));
          case "compaction", "compaction_summary" ->
              Optional.of(
                  new View.Compaction(
                      Parts.field(fields, "encrypted_content"), Parts.field(fields, "summary")));
          default -> Optional.empty();
        };
    return view.orElseGet(() -> new View.Other(type));
  }

  private static Optional<View> message(Map<String, String> fields) {
    Optional<Role> role = Parts.field(fields, "role").flatMap(Role::of);
    if (role.isEmpty()) {
      return Optional.empty();
    }
    String textType = role.get() == Role.ASSISTANT ? "output_text" : "input_text";
    return Parts.content(fields.get("content"), textType)
        .map(content -> new View.Message(role.get(), content));
  }

  private static Optional<View> functionCall(Map<String, String> fields) {
    String callId = Json.string(fields.get("call_id"));
    String name = Json.string(fields.get("name"));
    String arguments = Json.string(fields.get("arguments"));
    return callId == null || name == null || arguments == null
        ? Optional.empty()
        : Optional.of(new View.FunctionCall(callId, name, arguments));
  }

  private static Optional<View> functionCallOutput(Map<String, String> fields) {
    String callId = Json.string(fields.get("call_id"));
    return callId == null
        ? Optional.empty()
        : Parts.content(fields.get("output"), "input_text")
            .map(output -> new View.FunctionCallOutput(callId, output));
  }

  private static View reasoning(Map<String, String> fields) {
    return new View.Reasoning(
        parts(fields.get("summary"), "summary_text"),
        parts(fields.get("content"), "reasoning_text"),
        Parts.field(fields, "encrypted_content"));
  }

  private static List<Part> parts(@Nullable String raw, String textType) {
    return Parts.content(raw, textType).orElse(List.of());
  }
}
