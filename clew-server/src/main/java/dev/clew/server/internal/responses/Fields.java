package dev.clew.server.internal.responses;

import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.GivenItems;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The fields of a JSON object that a client sent, read as what they must be. Immutable. What is
 * null is not there.
 */
final class Fields {
  private final String prefix;
  private final Map<String, String> raw;

  private Fields(String prefix, Map<String, String> raw) {
    this.prefix = prefix;
    this.raw = raw;
  }

  static Fields of(Map<String, String> raw) {
    return new Fields("", raw);
  }

  /** How messages call a field. */
  String path(String name) {
    return prefix + name;
  }

  Iterable<String> names() {
    return raw.keySet();
  }

  boolean has(String name) {
    return !GivenItems.isNull(raw.get(name));
  }

  /** The text of a field as it was sent. */
  Optional<String> raw(String name) {
    return has(name) ? Optional.ofNullable(raw.get(name)) : Optional.empty();
  }

  String rawOr(String name, String otherwise) {
    return raw(name).orElse(otherwise);
  }

  Optional<String> text(String name) {
    return raw(name)
        .map(
            value ->
                Optional.ofNullable(Json.string(value))
                    .orElseThrow(() -> GivenItems.wrongType(path(name), "a string", value)));
  }

  /** A text of bounded length. */
  Optional<String> text(String name, int longest) {
    Optional<String> text = text(name);
    int length = text.map(value -> value.codePointCount(0, value.length())).orElse(0);
    if (length > longest) {
      throw Problem.invalid(
          "string_above_max_length",
          path(name),
          String.format(
              "Invalid '%s': string too long. Expected a string with maximum length %d,"
                  + " but got a string with length %d instead.",
              path(name), longest, length));
    }
    return text;
  }

  /** A text that must be there. */
  String needText(String name) {
    return text(name).orElseThrow(() -> GivenItems.missing(path(name)));
  }

  /** One of some words. */
  Optional<String> word(String name, String... supported) {
    Optional<String> text = text(name);
    if (text.isPresent() && !List.of(supported).contains(text.get())) {
      throw unsupported(path(name), text.get(), supported);
    }
    return text;
  }

  static Problem unsupported(String path, String value, String... supported) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < supported.length; i++) {
      boolean last = i > 0 && i == supported.length - 1;
      list.append(i == 0 ? "" : supported.length > 2 ? ", " : " ")
          .append(last ? "and " : "")
          .append('\'')
          .append(supported[i])
          .append('\'');
    }
    return Problem.invalid(
        "invalid_value",
        path,
        "Invalid value: '" + value + "'. Supported values are: " + list + ".");
  }

  boolean flag(String name, boolean otherwise) {
    Optional<String> value = raw(name);
    if (value.isEmpty()) {
      return otherwise;
    }
    if (!value.get().equals("true") && !value.get().equals("false")) {
      throw GivenItems.wrongType(path(name), "a boolean", value.get());
    }
    return value.get().equals("true");
  }

  /** A whole number. */
  Optional<Long> whole(String name, long least, long most) {
    Optional<BigDecimal> number = number(name, "an integer");
    if (number.isEmpty()) {
      return Optional.empty();
    }
    String got = raw(name).orElseThrow();
    if (number.get().compareTo(BigDecimal.valueOf(most)) > 0) {
      throw Problem.outside(path(name), true, String.valueOf(most), got);
    }
    if (number.get().compareTo(BigDecimal.valueOf(least)) < 0) {
      throw Problem.outside(path(name), false, String.valueOf(least), got);
    }
    if (number.get().stripTrailingZeros().scale() > 0) {
      throw Problem.invalid(
          "invalid_type",
          path(name),
          "Invalid type for '"
              + path(name)
              + "': expected an integer, but got a decimal number instead.");
    }
    return Optional.of(number.get().longValue());
  }

  /** Any number between two. */
  void decimal(String name, int least, int most) {
    Optional<BigDecimal> number = number(name, "a decimal");
    if (number.isEmpty()) {
      return;
    }
    boolean above = number.get().compareTo(BigDecimal.valueOf(most)) > 0;
    if (above || number.get().compareTo(BigDecimal.valueOf(least)) < 0) {
      throw Problem.invalid(
          above ? "decimal_above_max_value" : "decimal_below_min_value",
          path(name),
          String.format(
              "Invalid '%s': decimal %s value. Expected a value %s %d, but got %s instead.",
              path(name),
              above ? "above maximum" : "below minimum",
              above ? "<=" : ">=",
              above ? most : least,
              raw(name).orElse("")));
    }
  }

  private Optional<BigDecimal> number(String name, String expected) {
    return raw(name)
        .map(
            value -> {
              Object read;
              try {
                read = Json.read(value);
              } catch (IllegalArgumentException e) { // an exponent beyond all reason
                read = null;
              }
              if (read instanceof BigDecimal decimal
                  && Math.abs((long) decimal.scale()) < 1000) { // else comparing takes for ever
                return decimal;
              }
              if (read instanceof Number && !(read instanceof BigDecimal)) {
                return new BigDecimal(value);
              }
              throw GivenItems.wrongType(path(name), expected, value);
            });
  }

  Optional<Fields> object(String name) {
    return raw(name).map(value -> objectAt(path(name), value));
  }

  private static Fields objectAt(String path, String value) {
    if (!value.startsWith("{")) {
      throw GivenItems.wrongType(path, "an object", value);
    }
    return new Fields(path + ".", UncheckedJson.fields(value));
  }

  /** The elements of an array, none if it is not there. */
  List<String> array(String name) {
    Optional<String> value = raw(name);
    if (value.isPresent() && !value.get().startsWith("[")) {
      throw GivenItems.wrongType(path(name), "an array", value.get());
    }
    return value.map(Json::elements).orElse(List.of());
  }

  /** The objects of an array, none if it is not there. */
  List<Fields> objects(String name) {
    List<String> elements = array(name);
    return IntStream.range(0, elements.size())
        .mapToObj(i -> objectAt(path(name) + "[" + i + "]", elements.get(i)))
        .toList();
  }

  /** The texts of an array, none if it is not there. */
  List<String> texts(String name) {
    List<String> elements = array(name);
    return IntStream.range(0, elements.size())
        .mapToObj(
            i ->
                Optional.ofNullable(Json.string(elements.get(i)))
                    .orElseThrow(
                        () ->
                            GivenItems.wrongType(
                                path(name) + "[" + i + "]", "a string", elements.get(i))))
        .toList();
  }

  /** The value of a field as Java has it. */
  Optional<Object> value(String name) {
    return raw(name).map(Json::read);
  }
}
