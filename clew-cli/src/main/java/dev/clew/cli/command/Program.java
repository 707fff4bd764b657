package dev.clew.cli.command;

import java.util.Map;

/**
 * How this program is called, such as {@code ./clew} in the source tree: what it suggests to type
 * shall work when it is typed. Immutable.
 */
public record Program(String name) {
  /** Set by the launcher, which alone knows. */
  static final String VARIABLE = "CLEW_PROGRAM";

  static Program of(Map<String, String> env) {
    String told = env.getOrDefault(VARIABLE, "");
    return new Program(told.isBlank() ? "clew" : told);
  }

  /** A text with commands in quotes, {@code 'clew …'}, or one that begins with a command. */
  public String in(String text) {
    if (name.equals("clew")) {
      return text;
    }
    String quoted = text.replace("'clew ", "'" + name + " ");
    return quoted.startsWith("clew ") ? name + quoted.substring(4) : quoted;
  }

  /** A line that is an example, perhaps of several commands. */
  String inExample(String line) {
    return line.replaceAll(
        "(^|\\| | )clew(?= )", "$1" + name.replace("\\", "\\\\").replace("$", "\\$"));
  }
}
