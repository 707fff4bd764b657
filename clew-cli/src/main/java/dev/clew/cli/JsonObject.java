package dev.clew.cli;

import dev.clew.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object being written, field by field. Not thread-safe. Items go in as the text they are,
 * so that nothing about them changes.
 */
final class JsonObject {
  private final StringBuilder json = new StringBuilder("{");

  /** A field with a map, a list, text, a number, a boolean or null. */
  JsonObject put(String name, @Nullable Object value) {
    return raw(name, Json.write(value));
  }

  /** A field with an object that was written before, or null. */
  JsonObject put(String name, @Nullable JsonObject object) {
    return raw(name, String.valueOf(object));
  }

  /** A field with a list of objects. */
  JsonObject putAll(String name, List<JsonObject> objects) {
    return raw(name, objects.toString());
  }

  /** A field whose value is JSON text already. */
  JsonObject raw(String name, String value) {
    if (json.length() > 1) {
      json.append(',');
    }
    json.append(Json.quote(name)).append(':').append(value);
    return this;
  }

  @Override
  public String toString() {
    return json + "}";
  }
}
