package dev.clew.json;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a JSON object field by field. Not thread-safe. Items are inserted as raw text, so that
 * nothing about them changes.
 */
public final class JsonObject {
  private final StringBuilder json = new StringBuilder("{");

  /** A field with a map, a list, text, a number, a boolean or null. */
  public JsonObject put(String name, @Nullable Object value) {
    begin(name);
    Json.write(json, value);
    return this;
  }

  /** A field with an object that was written before, or null. */
  public JsonObject put(String name, @Nullable JsonObject object) {
    return raw(name, String.valueOf(object));
  }

  /** A field with a list of objects. */
  public JsonObject putAll(String name, List<JsonObject> objects) {
    return array(name, objects.stream().map(JsonObject::toString).toList());
  }

  /** A field whose value is JSON text already. */
  public JsonObject raw(String name, String value) {
    begin(name);
    json.append(value);
    return this;
  }

  private void begin(String name) {
    if (json.length() > 1) {
      json.append(',');
    }
    Json.quote(json, name);
    json.append(':');
  }

  /** A field whose value is an array of JSON texts. */
  public JsonObject array(String name, Iterable<String> elements) {
    return raw(name, array(elements));
  }

  /** An array of JSON texts. */
  public static String array(Iterable<String> elements) {
    return "[" + String.join(",", elements) + "]";
  }

  /** The fields so far and then those of an object that has at least one, as its text has them. */
  public String before(String object) {
    String rest = object.substring(1);
    return json.length() > 1 ? json + "," + rest : json + rest;
  }

  /** The object so far. */
  public String json() {
    return json + "}";
  }

  @Override
  public String toString() {
    return json();
  }
}
