package dev.clew.server.internal.http;

import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Checks and reads the fields of a JSON object in a request. Immutable. Null counts as absent. */
public record Fields(String prefix, Map<String, String> raw) {
  public static Fields of(Map<String, String> raw) {
    return new Fields("", raw);
  }

  /**
   * The body of a call, whatever its content type.
   *
   * @param strict refuses fields that are not in {@code known}
   */
  public static Fields of(Call call, boolean strict, Set<String> known) {
    Fields fields = of(call.fields());
    if (strict) {
      fields.checkKnown(known);
    }
    return fields;
  }

  /** The object at a path within the body. */
  public static Fields at(String path, String value) {
    if (!value.startsWith("{")) {
      throw Problem.wrongType(path, "an object", value);
    }
    return new Fields(path + ".", UncheckedJson.fields(value));
  }

  /** Refuses fields that are not known. */
  public void checkKnown(Set<String> known) {
    for (String name : raw.keySet()) {
      if (!known.contains(name)) {
        throw Problem.invalid(
            "unknown_parameter", path(name), "Unknown parameter: '" + path(name) + "'.");
      }
    }
  }

  /** The name of a field in messages. */
  public String path(String name) {
    return prefix + name;
  }

  public boolean has(String name) {
    return raw(name).isPresent();
  }

  /** The JSON text of a field, which may be null. */
  public Optional<String> given(String name) {
    return Optional.ofNullable(raw.get(name));
  }

  /** The JSON text of a field. */
  public Optional<String> raw(String name) {
    return given(name).filter(value -> !value.equals("null"));
  }

  public String rawOr(String name, String otherwise) {
    return raw(name).orElse(otherwise);
  }

  public String needRaw(String name) {
    return raw(name).orElseThrow(() -> Problem.missing(path(name)));
  }

  public Optional<String> text(String name) {
    return raw(name).map(value -> textAt(path(name), value));
  }

  private static String textAt(String path, String value) {
    String text = Json.string(value);
    if (text == null) {
      throw Problem.wrongType(path, "a string", value);
    }
    return text;
  }

  public Optional<String> text(String name, int longest) {
    return text(name).map(text -> Problem.checkLength(path(name), text, longest));
  }

  public String needText(String name) {
    return textAt(path(name), needRaw(name));
  }

  /** Refuses the object unless all of these are strings; cheaper than reading them. */
  public void needTexts(String... names) {
    for (String name : names) {
      if (!needRaw(name).startsWith("\"")) {
        throw Problem.wrongType(path(name), "a string", needRaw(name));
      }
    }
  }

  public Optional<String> word(String name, String... supported) {
    Optional<String> text = text(name);
    if (text.isPresent() && !List.of(supported).contains(text.get())) {
      throw Problem.unsupported(path(name), text.get(), List.of(supported));
    }
    return text;
  }

  public Optional<Boolean> flag(String name) {
    return raw(name)
        .map(
            value -> {
              if (!value.equals("true") && !value.equals("false")) {
                throw Problem.wrongType(path(name), "a boolean", value);
              }
              return value.equals("true");
            });
  }

  public boolean flag(String name, boolean otherwise) {
    return flag(name).orElse(otherwise);
  }

  /** An integer in any range. */
  public OptionalLong number(String name) {
    String value = rawOr(name, "");
    try {
      return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    } catch (NumberFormatException e) {
      throw Problem.wrongType(path(name), "an integer", value);
    }
  }

  /** An integer in a range, which may be written with an exponent or as {@code 1.0}. */
  public Optional<Long> whole(String name, long least, long most) {
    Optional<BigDecimal> number = decimal(name, "an integer");
    if (number.isEmpty()) {
      return Optional.empty();
    }
    String got = needRaw(name);
    if (number.get().compareTo(BigDecimal.valueOf(most)) > 0) {
      throw Problem.outside(path(name), true, String.valueOf(most), got);
    }
    if (number.get().compareTo(BigDecimal.valueOf(least)) < 0) {
      throw Problem.outside(path(name), false, String.valueOf(least), got);
    }
    if (number.get().stripTrailingZeros().scale() > 0) {
      throw Problem.wrongKind(path(name), "an integer", "a decimal number");
    }
    return Optional.of(number.get().longValue());
  }

  /** Checks that a number is in a range. */
  public void checkDecimal(String name, int least, int most) {
    Optional<BigDecimal> number = decimal(name, "a decimal");
    if (number.isEmpty()) {
      return;
    }
    boolean above = number.get().compareTo(BigDecimal.valueOf(most)) > 0;
    if (above || number.get().compareTo(BigDecimal.valueOf(least)) < 0) {
      throw Problem.outside(
          "decimal", path(name), above, String.valueOf(above ? most : least), needRaw(name));
    }
  }

  private Optional<BigDecimal> decimal(String name, String expected) {
    return raw(name)
        .map(
            value -> {
              Object read;
              try {
                read = Json.read(value);
              } catch (IllegalArgumentException e) { // an absurd exponent
                read = null;
              }
              if (read instanceof BigDecimal decimal
                  && Math.abs((long) decimal.scale()) < 1000) { // others take forever to compare
                return decimal;
              }
              if (read instanceof Number && !(read instanceof BigDecimal)) {
                return new BigDecimal(value);
              }
              throw Problem.wrongType(path(name), expected, value);
            });
  }

  public Optional<Fields> object(String name) {
    return raw(name).map(value -> at(path(name), value));
  }

  /** The elements of an array; none if it is absent. */
  public List<String> array(String name) {
    String value = rawOr(name, "[]");
    if (!value.startsWith("[")) {
      throw Problem.wrongType(path(name), "an array", value);
    }
    return Json.elements(value);
  }

  public List<Fields> objects(String name) {
    List<String> elements = array(name);
    return IntStream.range(0, elements.size())
        .mapToObj(i -> at(path(name) + "[" + i + "]", elements.get(i)))
        .toList();
  }

  public List<String> texts(String name) {
    List<String> elements = array(name);
    return IntStream.range(0, elements.size())
        .mapToObj(i -> textAt(path(name) + "[" + i + "]", elements.get(i)))
        .toList();
  }

  public Optional<Object> value(String name) {
    return raw(name).map(value -> valueAt(path(name), value));
  }

  /** The value of a field. */
  public static @Nullable Object valueAt(String path, String value) {
    try {
      return Json.read(value);
    } catch (IllegalArgumentException e) { // the body was checked, but not its exponents
      throw Problem.invalidValue(path, "it contains a number that is too large or too small");
    }
  }
}
