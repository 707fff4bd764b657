package dev.clew.server.internal.http;

import dev.clew.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The JSON object that a request brings, whatever its content type says. Immutable. A field that is
 * null counts as absent.
 */
public final class Body {
  private final Map<String, String> fields;

  private Body(Map<String, String> fields) {
    this.fields = fields;
  }

  /**
   * The body of a call.
   *
   * @param mostBytes how long it may be
   * @param known the fields there are; others are refused if that is asked for
   */
  public static Body of(Call call, int mostBytes, boolean refuseOthers, Set<String> known) {
    if (call.size() > mostBytes) {
      throw Problem.refused(
          413,
          "body_too_large",
          null,
          "The body is too large; the limit is " + mostBytes + " bytes.");
    }
    Map<String, String> fields = call.fields();
    if (refuseOthers) {
      checkKnown(fields.keySet(), known);
    }
    return new Body(fields);
  }

  /** Refuses fields that are not known. */
  public static void checkKnown(Iterable<String> names, Set<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw Problem.invalid("unknown_parameter", name, "Unknown parameter: '" + name + "'.");
      }
    }
  }

  /** The JSON text of a field, also null. */
  public Optional<String> given(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** The JSON text of a field that is not null. */
  public Optional<String> raw(String name) {
    return given(name).filter(raw -> !raw.equals("null"));
  }

  /** A text. */
  public Optional<String> text(String name) {
    return raw(name)
        .map(
            raw -> {
              String text = Json.string(raw);
              if (text == null) {
                throw wrongType(name, "a string");
              }
              return text;
            });
  }

  /** A text that must be there. */
  public String needText(String name) {
    return text(name).orElseThrow(() -> missing(name));
  }

  /** True or false. */
  public Optional<Boolean> flag(String name) {
    return raw(name)
        .map(
            raw -> {
              if (!raw.equals("true") && !raw.equals("false")) {
                throw wrongType(name, "a boolean");
              }
              return raw.equals("true");
            });
  }

  /** A whole number. */
  public OptionalLong number(String name) {
    Optional<String> raw = raw(name);
    if (raw.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(raw.get()));
    } catch (NumberFormatException e) {
      throw wrongType(name, "an integer");
    }
  }

  /** A field that must be there and is not. */
  public static Problem missing(String name) {
    return Problem.invalid(
        "missing_required_parameter", name, "Missing required parameter: '" + name + "'.");
  }

  /** A field of the wrong type. */
  public static Problem wrongType(String name, String expected) {
    return Problem.invalid(
        "invalid_type", name, "Invalid type for '" + name + "': expected " + expected + ".");
  }
}
