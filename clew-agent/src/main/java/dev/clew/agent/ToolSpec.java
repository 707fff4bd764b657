package dev.clew.agent;

import java.util.regex.Pattern;

/**
 * A tool as the model sees it. Immutable.
 *
 * @param name 1 to 64 letters, digits, {@code _} and {@code -}
 * @param description what it does and when to use it
 * @param parameters the JSON schema of its arguments, which is that of an object
 * @param strict whether the model is held to the schema exactly
 */
public record ToolSpec(String name, String description, String parameters, boolean strict) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /**
   * Refuses a name that providers refuse.
   *
   * @throws IllegalArgumentException naming it and what is allowed
   */
  static String requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a tool cannot be named '"
              + name
              + "': providers take 1 to 64 letters (A to Z), digits, _ and -");
    }
    return name;
  }
}
