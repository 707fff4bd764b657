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
  private static final int LONGEST = 64;
  private static final int HASH = 6;
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9_-]");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /**
   * A name that providers take, for a tool of a server: the server and the tool with {@code __}
   * between them, and {@code _} for every character that is not allowed. Names that are too long
   * end with a hash of the rest.
   *
   * @param server its name; empty for none
   */
  public static String nameOf(String server, String tool) {
    String whole = server.isEmpty() ? tool : server + "__" + tool;
    String name = OTHER.matcher(whole).replaceAll("_");
    return name.length() <= LONGEST
        ? name
        : name.substring(0, LONGEST - HASH - 1) + "_" + RunState.sha256(whole).substring(0, HASH);
  }

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
