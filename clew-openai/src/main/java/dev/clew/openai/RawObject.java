package dev.clew.openai;

import dev.clew.internal.Json;
import org.jspecify.annotations.Nullable;

/** Writes a JSON object out of parts that are JSON text already. Used by one thread. */
final class RawObject {
  private final StringBuilder out = new StringBuilder("{");

  /** A field whose value is JSON text, taken as it is. */
  RawObject raw(String name, String json) {
    if (out.length() > 1) {
      out.append(',');
    }
    out.append(Json.quote(name)).append(':').append(json);
    return this;
  }

  /** A field whose value is a text. */
  RawObject text(String name, String value) {
    return raw(name, Json.quote(value));
  }

  /** A field whose value is a map, a list, a text, a number, a boolean or nothing. */
  RawObject value(String name, @Nullable Object value) {
    return raw(name, Json.write(value));
  }

  /** A field whose value is another object. */
  RawObject raw(String name, RawObject object) {
    return raw(name, object.json());
  }

  /** A field whose value is an array of JSON texts. */
  RawObject array(String name, Iterable<String> elements) {
    return raw(name, array(elements));
  }

  static String array(Iterable<String> elements) {
    return "[" + String.join(",", elements) + "]";
  }

  String json() {
    return out + "}";
  }
}
