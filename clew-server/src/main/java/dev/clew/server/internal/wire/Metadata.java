package dev.clew.server.internal.wire;

import dev.clew.SessionInfo;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Problem;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The metadata of conversations and responses: at most sixteen short strings. Stateless. Other
 * values in a session's metadata appear as their JSON text.
 */
public final class Metadata {
  private static final int MOST = 16;
  private static final int LONGEST_KEY = 64;
  private static final int LONGEST_VALUE = 512;

  private Metadata() {}

  public static Map<String, String> read(String raw) {
    if (raw.equals("null")) {
      return Map.of();
    }
    if (!raw.startsWith("{")) {
      throw Problem.wrongType("metadata", "an object", raw);
    }
    Map<String, String> fields = UncheckedJson.fields(raw);
    if (fields.size() > MOST) {
      throw Problem.invalid(
          "object_above_max_properties",
          "metadata",
          String.format(
              "Invalid 'metadata': too many properties. Expected an object with at most %d"
                  + " properties, but got an object with %d properties instead.",
              MOST, fields.size()));
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    fields.forEach(
        (key, value) -> {
          String text = Json.string(value);
          if (text == null) {
            throw Problem.wrongType("metadata." + key, "a string", value);
          }
          Problem.checkLength("metadata", key, LONGEST_KEY);
          metadata.put(key, Problem.checkLength("metadata." + key, text, LONGEST_VALUE));
        });
    return metadata;
  }

  public static JsonObject of(SessionInfo info) {
    JsonObject out = new JsonObject();
    ServerMetadata.visible(info)
        .forEach((key, value) -> out.put(key, value instanceof String ? value : Json.write(value)));
    return out;
  }
}
