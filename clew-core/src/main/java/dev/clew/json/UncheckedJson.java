package dev.clew.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Cuts the raw values out of a JSON text that was checked before. Stateless and thread-safe.
 *
 * <p>{@link Json#fields} and {@link Json#elements} return the same, and fail if a text is not JSON.
 * This class does not check: it only finds where values end, which takes a tenth of the time. It is
 * for what a server does with every item of every request. For text that is not valid JSON the
 * result is undefined.
 */
public final class UncheckedJson {
  /** With quotes, and each letter an escape. */
  private static final int LONGEST_NAME_OF_HEAD = 2 + "type".length() * "\\u0000".length();

  private UncheckedJson() {}

  /** The raw text of each field of an object, in order; none for another kind of value. */
  public static Map<String, String> fields(String object) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (object.charAt(skipSpace(object, 0)) != '{') {
      return fields;
    }
    int at = begin(object, '{');
    while (object.charAt(at) == '"') {
      int nameEnd = endOfString(object, at);
      String name = name(object, at, nameEnd);
      int value = skipSpace(object, skipSpace(object, nameEnd) + 1); // the colon
      int end = end(object, value);
      fields.put(name, object.substring(value, end));
      at = next(object, end);
    }
    return fields;
  }

  /** What a first look at an item finds. */
  static Json.Head head(String object) {
    String type = null;
    String role = null;
    String id = null;
    int at = begin(object, '{');
    while (object.charAt(at) == '"') {
      int nameEnd = endOfString(object, at);
      int value = skipSpace(object, skipSpace(object, nameEnd) + 1);
      int end = end(object, value);
      if (object.charAt(value) == '"' && nameEnd - at <= LONGEST_NAME_OF_HEAD) {
        switch (name(object, at, nameEnd)) {
          case "type" -> type = Json.string(object.substring(value, end));
          case "role" -> role = Json.string(object.substring(value, end));
          case "id" -> id = Json.string(object.substring(value, end));
          default -> {
            // Says something else.
          }
        }
      }
      at = next(object, end);
    }
    return new Json.Head(type, role, id, 0);
  }

  private static String name(String text, int start, int end) {
    return Objects.requireNonNull(Json.string(text.substring(start, end)));
  }

  /** The raw text of each element of an array, in order. */
  public static List<String> elements(String array) {
    List<String> elements = new ArrayList<>();
    int at = begin(array, '[');
    while (array.charAt(at) != ']') {
      int end = end(array, at);
      elements.add(array.substring(at, end));
      at = next(array, end);
    }
    return elements;
  }

  /** Where the first thing stands in an object or array. */
  private static int begin(String text, char bracket) {
    int open = skipSpace(text, 0);
    if (text.charAt(open) != bracket) {
      throw new IllegalArgumentException(bracket == '{' ? "not a JSON object" : "not a JSON array");
    }
    return skipSpace(text, open + 1);
  }

  /** Where the next thing stands, or the bracket that ends them. */
  private static int next(String text, int end) {
    int mark = skipSpace(text, end);
    return text.charAt(mark) == ',' ? skipSpace(text, mark + 1) : mark;
  }

  private static int skipSpace(String text, int from) {
    int at = from;
    while (text.charAt(at) <= ' ') {
      at++;
    }
    return at;
  }

  /** Where the value that starts here ends. */
  private static int end(String text, int start) {
    char first = text.charAt(start);
    if (first == '"') {
      return endOfString(text, start);
    }
    if (first == '{' || first == '[') {
      return endOfBracket(text, start);
    }
    int at = start + 1;
    while (at < text.length() && !endsScalar(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean endsScalar(char c) {
    return c == ',' || c == '}' || c == ']' || c <= ' ';
  }

  private static int endOfBracket(String text, int start) {
    int depth = 0;
    for (int at = start; ; at++) {
      switch (text.charAt(at)) {
        case '"' -> at = endOfString(text, at) - 1;
        case '{', '[' -> depth++;
        case '}', ']' -> {
          if (--depth == 0) {
            return at + 1;
          }
        }
        default -> {
          // Within a number or a word, or between things.
        }
      }
    }
  }

  private static int endOfString(String text, int start) {
    int quote = text.indexOf('"', start + 1);
    while (isEscaped(text, start, quote)) {
      quote = text.indexOf('"', quote + 1);
    }
    return quote + 1;
  }

  /** Whether there is an odd number of backslashes before a quote. */
  private static boolean isEscaped(String text, int start, int quote) {
    int before = quote - 1;
    while (before > start && text.charAt(before) == '\\') {
      before--;
    }
    return (quote - before) % 2 == 0;
  }
}
