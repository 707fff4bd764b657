package dev.clew.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON reader and writer of Clew, over Jackson's streaming parser. Stateless and
 * thread-safe.
 *
 * <p>Items are read as slices of their own text: {@link #fields} and {@link #elements} return the
 * raw text of each value, so that unknown values are passed on unchanged.
 */
public final class Json {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private Json() {}

  /**
   * How large a JSON text may be. Immutable.
   *
   * @param maxBytes size of the text in UTF-8
   * @param maxDepth how deep arrays and objects may be nested
   */
  public record Limits(int maxBytes, int maxDepth) {
    /** Longest number, in characters: longer ones cannot be read back by Python programs. */
    public static final int MAX_NUMBER_LENGTH = 1000;

    /** 1 MiB, 200 levels. */
    static final Limits DEFAULT = new Limits(1 << 20, 200);
  }

  /** The fields that say what an item is, and how deep it is nested. */
  public record Head(
      @Nullable String type, @Nullable String role, @Nullable String id, int depth) {}

  /** A JSON text that was refused, with the position of the first error. */
  public static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean tooDeep;

    Malformed(String message) {
      this(message, false);
    }

    private Malformed(String message, boolean tooDeep) {
      super(message, null, false, false);
      this.tooDeep = tooDeep;
    }

    /** Whether it is nested deeper than {@link Limits#maxDepth}. */
    public boolean isTooDeep() {
      return tooDeep;
    }
  }

  /** Checks that the text is one JSON object within the limits, without duplicate keys. */
  public static Head check(String text, Limits limits) throws Malformed {
    return check(text, JsonFactories.of(limits), limits, true);
  }

  /** Checks that the text is one JSON value of any kind within the limits. */
  public static void checkValue(String text, Limits limits) throws Malformed {
    check(text, JsonFactories.of(limits), limits, false);
  }

  /** Checks that the text is one JSON object, whatever its size. */
  public static Head checkStored(String text) throws Malformed {
    return check(text, JsonFactories.UNLIMITED, Limits.DEFAULT, true);
  }

  private static Head check(String text, JsonFactory factory, Limits limits, boolean objectOnly)
      throws Malformed {
    String kind = objectOnly ? "object" : "value";
    try (JsonParser parser = factory.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null || (objectOnly && first != JsonToken.START_OBJECT)) {
        throw new Malformed("expected a JSON " + kind + ", found " + describe(parser));
      }
      int longestNumber = factory == JsonFactories.UNLIMITED ? NO_LIMIT : Limits.MAX_NUMBER_LENGTH;
      checkNumber(parser, longestNumber);
      Head head =
          first.isStructStart() ? readHead(parser, longestNumber) : new Head(null, null, null, 0);
      if (parser.nextToken() != null) {
        throw new Malformed(
            "text after the end of the %s at character %s"
                .formatted(kind, parser.currentTokenLocation().getCharOffset()));
      }
      return head;
    } catch (StreamConstraintsException e) {
      throw constraint(e, limits);
    } catch (JsonParseException e) {
      throw new Malformed(problem(e) + " at character " + e.getLocation().getCharOffset());
    } catch (IOException e) {
      throw new Malformed(firstLine(String.valueOf(e.getMessage())));
    }
  }

  /** The head of a text that was checked before; its depth is not computed. */
  public static Head head(String text) {
    return UncheckedJson.head(text);
  }

  /** Jackson's own limit leaves out sign, point and exponent, and digits after the point. */
  private static void checkNumber(JsonParser parser, int longest) throws IOException {
    if (longest != NO_LIMIT
        && parser.currentToken().isNumeric()
        && parser.getTextLength() > longest) {
      throw new StreamConstraintsException("Number is too long");
    }
  }

  private static Head readHead(JsonParser parser, int longestNumber) throws IOException {
    String type = null;
    String role = null;
    String id = null;
    int depth = 1;
    int deepest = 1;
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      checkNumber(parser, longestNumber);
      if (token.isStructStart()) {
        deepest = Math.max(deepest, ++depth);
      } else if (token.isStructEnd()) {
        if (--depth == 0) {
          break;
        }
      } else if (depth == 1 && token == JsonToken.VALUE_STRING && parser.currentName() != null) {
        switch (parser.currentName()) {
          case "type" -> type = parser.getText();
          case "role" -> role = parser.getText();
          case "id" -> id = parser.getText();
          default -> {}
        }
      }
    }
    if (depth != 0) {
      throw new JsonParseException(parser, "the object is not closed");
    }
    return new Head(type, role, id, deepest);
  }

  /** The raw text of each field of an object, in order. The text must be valid. */
  public static Map<String, String> fields(String object) {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser parser = JsonFactories.UNLIMITED.createParser(object)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        fields.put(name, slice(parser, object));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("not a JSON object", e);
    }
    return fields;
  }

  /** The raw text of each element of an array, in order. The text must be valid. */
  public static List<String> elements(String array) {
    List<String> elements = new ArrayList<>();
    try (JsonParser parser = JsonFactories.UNLIMITED.createParser(array)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new IllegalArgumentException("not a JSON array");
      }
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        elements.add(slice(parser, array));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("not a JSON array", e);
    }
    return elements;
  }

  private static String slice(JsonParser parser, String text) throws IOException {
    int start = (int) parser.currentTokenLocation().getCharOffset();
    parser.finishToken(); // or the end of a string is not known
    parser.skipChildren();
    if (parser.currentToken().isScalarValue() && parser.currentToken().isNumeric()) {
      return text.substring(start, start + parser.getText().length());
    }
    return text.substring(start, (int) parser.currentLocation().getCharOffset());
  }

  /** The text of a raw JSON string, or null when the raw value is absent or not a string. */
  public static @Nullable String string(@Nullable String raw) {
    if (raw == null || raw.isEmpty() || raw.charAt(0) != '"') {
      return null;
    }
    if (raw.indexOf('\\') < 0) {
      return raw.substring(1, raw.length() - 1);
    }
    return (String) read(raw);
  }

  /**
   * The value of a JSON text as {@code Map}, {@code List}, {@code String}, {@code Long}, {@code
   * BigInteger}, {@code BigDecimal}, {@code Boolean} or null.
   */
  public static @Nullable Object read(String text) {
    try (JsonParser parser = JsonFactories.TREES.createParser(text)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("text after the end of the JSON value");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + problem(e), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON", e);
    }
  }

  /** The object in a JSON text, with values as {@link #read} gives them. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> readObject(String text) {
    if (read(text) instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new IllegalArgumentException("not a JSON object");
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new JsonParseException(parser, "the text is empty");
    }
    switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          map.put(name, value(parser));
        }
        return Collections.unmodifiableMap(map);
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        return Collections.unmodifiableList(list);
      }
      case VALUE_STRING -> {
        return parser.getText();
      }
      case VALUE_NUMBER_INT -> {
        BigInteger number = new BigInteger(parser.getText());
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
      }
      case VALUE_NUMBER_FLOAT -> {
        try {
          return new BigDecimal(parser.getText());
        } catch (NumberFormatException e) {
          throw new JsonParseException(parser, "a number's exponent is out of range");
        }
      }
      case VALUE_TRUE -> {
        return true;
      }
      case VALUE_FALSE -> {
        return false;
      }
      default -> {
        return null;
      }
    }
  }

  /**
   * Writes what {@link #read} can return, and any other {@code Number} and {@code CharSequence}.
   *
   * @throws IllegalArgumentException for a value JSON does not have
   */
  public static String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  static void write(StringBuilder out, @Nullable Object value) {
    write(out, value, 0);
  }

  private static void write(StringBuilder out, @Nullable Object value, int depth) {
    if (depth > JsonFactories.MAX_TREE_DEPTH) {
      throw new IllegalArgumentException(
          "a value is nested deeper than "
              + JsonFactories.MAX_TREE_DEPTH
              + " levels, or contains itself");
    }
    if (value == null || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof CharSequence text) {
      quote(out, text);
    } else if (value instanceof Number number) {
      double d = number.doubleValue();
      if ((number instanceof Double || number instanceof Float)
          && (Double.isNaN(d) || Double.isInfinite(d))) {
        throw new IllegalArgumentException(number + " is not a JSON number");
      }
      out.append(number);
    } else if (value instanceof Map<?, ?> map) {
      char separator = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        quote(out, String.valueOf(entry.getKey()));
        out.append(':');
        write(out, entry.getValue(), depth + 1);
        separator = ',';
      }
      out.append(separator == '{' ? "{}" : "}");
    } else if (value instanceof Iterable<?> list) {
      char separator = '[';
      for (Object element : list) {
        out.append(separator);
        write(out, element, depth + 1);
        separator = ',';
      }
      out.append(separator == '[' ? "[]" : "]");
    } else {
      throw new IllegalArgumentException(
          "a %s is not a JSON value; use maps, lists, text, numbers"
              .formatted(value.getClass().getName()));
    }
  }

  /** A JSON string literal of the text; unpaired surrogates become escapes. */
  public static String quote(CharSequence text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    quote(out, text);
    return out.toString();
  }

  /** Appends that to what is being written. */
  static void quote(StringBuilder out, CharSequence text) {
    out.append('"');
    int done = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && !JsonText.isUnpairedSurrogate(text, i)) {
        continue;
      }
      out.append(text, done, i);
      done = i + 1;
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> JsonText.appendEscape(out, c);
      }
    }
    out.append(text, done, text.length()).append('"');
  }

  private static String describe(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_NULL -> "null";
      default -> parser.getText();
    };
  }

  /** What is wrong, without the words of the parser about itself. */
  static String problem(JsonProcessingException e) {
    if (e instanceof JsonEOFException) {
      return "it ends in the middle";
    }
    String message = firstLine(String.valueOf(e.getOriginalMessage()));
    if (message.startsWith("Unexpected character")) {
      return message.replaceFirst("Unexpected character \\((.*) \\(code.*", "unexpected $1");
    }
    if (message.startsWith("Non-standard token")) {
      return message.replaceFirst("Non-standard token '(\\w*)'.*", "unexpected $1");
    }
    return message.startsWith("Unrecognized token") ? "unexpected word" : message;
  }

  private static Malformed constraint(StreamConstraintsException e, Limits limits) {
    String message = String.valueOf(e.getOriginalMessage());
    if (message.contains("nesting depth")) {
      return new Malformed("nested deeper than " + limits.maxDepth() + " levels", true);
    }
    if (message.contains("Number")) {
      return new Malformed(
          "a number of more than " + Limits.MAX_NUMBER_LENGTH + " characters; send it as a string");
    }
    return new Malformed(firstLine(message));
  }

  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
