package dev.clew.erasure;

import dev.clew.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What people said in a JSON document, in pieces that look the same wherever they are written: in
 * JSON, in HTML, in a plain text. Stateless.
 */
final class Words {
  /** The fields in which words stand; others hold names and kinds that everybody has. */
  private static final Set<String> SAID =
      Set.of("text", "content", "output", "arguments", "input", "summary", "refusal", "title");

  private Words() {}

  /** Calls for each text that an item says. */
  static void said(String json, Consumer<String> action) {
    each(parse(json), false, SAID::contains, action);
  }

  /** Calls for each text of a document. */
  static void all(String json, Consumer<String> action) {
    each(parse(json), true, any -> true, action);
  }

  private static @Nullable Object parse(String json) {
    try {
      return Json.read(json);
    } catch (IllegalArgumentException e) {
      return null; // no JSON, so nothing in it is escaped
    }
  }

  private static void each(
      @Nullable Object value, boolean counts, Predicate<String> fields, Consumer<String> action) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, inner) -> each(inner, fields.test(String.valueOf(name)), fields, action));
    } else if (value instanceof List<?> list) {
      list.forEach(inner -> each(inner, counts, fields, action));
    } else if (value instanceof String text && counts) {
      action.accept(text);
    }
  }

  /** The longest part of a text of which no character is escaped in JSON or HTML. */
  static String plainest(String text) {
    int from = 0;
    int bestFrom = 0;
    int bestEnd = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || isEscaped(text.charAt(i))) {
        if (i - from > bestEnd - bestFrom) {
          bestFrom = from;
          bestEnd = i;
        }
        from = i + 1;
      }
    }
    return text.substring(bestFrom, bestEnd);
  }

  private static boolean isEscaped(char c) {
    return c < ' ' || c == 0x7f || "\"\\/<>&'\u2028\u2029".indexOf(c) >= 0;
  }

  /** A text as JSON may write it that is ASCII only; empty if it is the same. */
  static String escaped(String text, boolean upper) {
    StringBuilder out = new StringBuilder();
    boolean other = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        out.append(c);
      } else {
        other = true;
        out.append(String.format(upper ? "\\u%04X" : "\\u%04x", (int) c));
      }
    }
    return other ? out.toString() : "";
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
