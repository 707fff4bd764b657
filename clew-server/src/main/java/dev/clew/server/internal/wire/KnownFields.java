package dev.clew.server.internal.wire;

import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Body;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The fields of items and of their parts, for callers that want others refused as OpenAI refuses
 * them. Stateless. Of types that are not here any field is taken.
 */
public final class KnownFields {
  private static final Map<String, Set<String>> OF_ITEMS =
      Map.of(
          "message", Set.of("type", "id", "status", "role", "content", "phase"),
          "function_call",
              Set.of("type", "id", "status", "call_id", "name", "arguments", "namespace", "caller"),
          "function_call_output",
              Set.of("type", "id", "status", "call_id", "output", "name", "namespace", "caller"),
          "reasoning", Set.of("type", "id", "status", "summary", "content", "encrypted_content"),
          "compaction", Set.of("type", "id", "encrypted_content"),
          "item_reference", Set.of("type", "id"));

  private static final Map<String, Set<String>> OF_PARTS =
      Map.of(
          "input_text", Set.of("type", "text", "prompt_cache_breakpoint"),
          "input_image", Set.of("type", "image_url", "file_id", "detail"),
          "input_file", Set.of("type", "file_id", "filename", "file_data", "file_url", "detail"),
          "output_text", Set.of("type", "text", "annotations", "logprobs"),
          "refusal", Set.of("type", "refusal"));

  private KnownFields() {}

  /**
   * Refuses items with a field that their type does not have.
   *
   * @param name the parameter, for messages
   * @param array the items, which were read before
   */
  public static void check(String name, String array) {
    each(name, array, OF_ITEMS);
  }

  private static void each(String name, String array, Map<String, Set<String>> types) {
    List<String> texts = UncheckedJson.elements(array);
    for (int i = 0; i < texts.size(); i++) {
      String place = name + "[" + i + "]";
      Map<String, String> fields = UncheckedJson.fields(texts.get(i));
      String type = Json.string(fields.get("type"));
      String content = fields.getOrDefault("content", "");
      Set<String> known = types.get(type == null ? "message" : type);
      if (known != null) {
        Body.checkKnown(in(place, fields.keySet()), in(place, known));
      }
      if (types == OF_ITEMS && content.startsWith("[")) {
        each(place + ".content", content, OF_PARTS);
      }
    }
  }

  private static Set<String> in(String place, Set<String> names) {
    return names.stream().map(name -> place + "." + name).collect(Collectors.toSet());
  }
}
