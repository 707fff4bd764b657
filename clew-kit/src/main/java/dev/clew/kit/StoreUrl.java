package dev.clew.kit;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * A parsed store URL: {@code scheme:path?name=value&name=value}. Immutable.
 *
 * <p>Strict on purpose: a misspelt setting that is silently ignored is found in production.
 * Reserved characters are percent-encoded: {@code %3F} for a question mark in a path, {@code %25}
 * for a percent sign.
 */
public final class StoreUrl {
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private final String url;
  private final String scheme;
  private final String path;
  private final Map<String, String> parameters;

  private StoreUrl(String url, String scheme, String path, Map<String, String> parameters) {
    this.url = url;
    this.scheme = scheme;
    this.path = path;
    this.parameters = parameters;
  }

  /**
   * Parses a URL.
   *
   * @param known the parameters this store has
   * @throws IllegalArgumentException naming what is wrong; for an unknown parameter, the known ones
   */
  public static StoreUrl parse(String url, Set<String> known) {
    int colon = url.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          "store URL '" + url + "' does not start with a scheme such as sqlite:");
    }
    int question = url.indexOf('?', colon);
    String path = url.substring(colon + 1, question < 0 ? url.length() : question);
    Map<String, String> parameters = new LinkedHashMap<>();
    if (question >= 0 && question + 1 < url.length()) {
      for (String pair : url.substring(question + 1).split("&", -1)) {
        addParameter(url, pair, known, parameters);
      }
    }
    return new StoreUrl(url, url.substring(0, colon), decode(url, path), parameters);
  }

  private static void addParameter(
      String url, String pair, Set<String> known, Map<String, String> parameters) {
    int equals = pair.indexOf('=');
    String name = decode(url, equals < 0 ? pair : pair.substring(0, equals));
    if (!known.contains(name)) {
      throw new IllegalArgumentException(
          String.format(
              "store URL '%s' has an unknown parameter '%s'; %s",
              url,
              name,
              known.isEmpty()
                  ? "remove it, this store takes none"
                  : "write one of " + String.join(", ", new TreeSet<>(known))));
    }
    if (equals < 0 || equals + 1 == pair.length()) {
      throw new IllegalArgumentException(
          "store URL '" + url + "' gives no value for '" + name + "'; write " + name + "=…");
    }
    if (parameters.put(name, decode(url, pair.substring(equals + 1))) != null) {
      throw new IllegalArgumentException("store URL '" + url + "' gives '" + name + "' twice");
    }
  }

  private static String decode(String url, String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); ) {
      int cp = text.codePointAt(i);
      if (cp != '%') {
        bytes.writeBytes(Character.toString(cp).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(cp);
        continue;
      }
      int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
      int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException(
            "store URL '" + url + "' has a % that begins no escape; write a percent sign as %25");
      }
      bytes.write(high * 16 + low);
      i += 3;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "store URL '" + url + "' has percent escapes that are not UTF-8", e);
    }
  }

  /** The part before the first colon. */
  public String scheme() {
    return scheme;
  }

  /** The part between the scheme and the parameters, decoded. */
  public String path() {
    return path;
  }

  /** The value of a parameter. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  /** The value of a parameter that is a whole number from {@code min} to {@code max}. */
  public OptionalInt integer(String name, int min, int max) {
    String value = parameters.get(name);
    if (value == null) {
      return OptionalInt.empty();
    }
    if (value.matches("-?[0-9]{1,18}")) {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return OptionalInt.of((int) number);
      }
    }
    throw bad(name, value, "a whole number from " + min + " to " + max);
  }

  /** The value of a parameter that is a positive duration, such as {@code 30d} or {@code 500ms}. */
  public Optional<Duration> duration(String name) {
    String value = parameters.get(name);
    if (value == null) {
      return Optional.empty();
    }
    String number = value.replaceFirst("[a-z]+$", "");
    Duration unit = UNITS.get(value.substring(number.length()));
    if (unit != null && number.matches("[0-9]{1,18}")) {
      BigInteger millis = new BigInteger(number).multiply(BigInteger.valueOf(unit.toMillis()));
      if (millis.signum() > 0 && millis.bitLength() < Long.SIZE) {
        return Optional.of(Duration.ofMillis(millis.longValue()));
      }
    }
    throw bad(name, value, "a time such as 30d, 12h, 15m, 45s or 500ms");
  }

  /** The value of a parameter that is {@code true} or {@code false}. */
  public Optional<Boolean> flag(String name) {
    String value = parameters.get(name);
    if (value == null) {
      return Optional.empty();
    }
    return switch (value) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> throw bad(name, value, "true or false");
    };
  }

  /** The error for a parameter with an invalid value. */
  public IllegalArgumentException bad(String name, String value, String expected) {
    return new IllegalArgumentException(
        "store URL '" + url + "': " + name + " must be " + expected + ", not '" + value + "'");
  }

  /** The URL as it was given. */
  @Override
  public String toString() {
    return url;
  }
}
