package dev.clew.cli.command;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How this program is called, such as {@code ./clew} in the source tree, so that the commands it
 * suggests work when they are typed. Immutable.
 *
 * @param name what is typed
 * @param store the options that name the store, if they were typed
 * @param owner the option that names the owner, if it was typed
 */
public record Program(String name, String store, String owner) {
  /** Set by the launcher, which alone knows. */
  static final String VARIABLE = "CLEW_PROGRAM";

  private static final Pattern COMMAND = Pattern.compile("'clew ([^']*)'");

  /** In a suggestion, for the store that was typed. */
  private static final String NAMED_STORE = " --store URL";

  /** Commands that need no store, or name it themselves. */
  private static final Pattern OTHER = Pattern.compile("key\\b.*|.*--(help|store|from)\\b.*");

  /** Commands about the sessions of one owner. */
  private static final Pattern OF_OWNER = Pattern.compile("(add|chat|import|sessions)\\b.*");

  static Program of(Map<String, String> env) {
    String told = env.getOrDefault(VARIABLE, "");
    return new Program(told.isBlank() ? "clew" : told, "", "");
  }

  /** The same, suggesting commands about a store and an owner that only these options name. */
  Program about(String storeOptions, String ownerOption) {
    return new Program(name, storeOptions, ownerOption);
  }

  /** A text with commands in quotes, {@code 'clew …'}. */
  public String in(String text) {
    return COMMAND
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement("'" + command(found.group(1)) + "'"));
  }

  /** A command to type. */
  public String command(String words) {
    if (words.endsWith(NAMED_STORE) && !store.isEmpty()) {
      return name + store + " " + words.substring(0, words.length() - NAMED_STORE.length());
    }
    return name
        + (OTHER.matcher(words).matches() ? "" : store)
        + (OF_OWNER.matcher(words).matches() ? owner : "")
        + " "
        + words;
  }

  /** The line of a help that says how a command is called. */
  String inSynopsis(String text) {
    return text.startsWith("clew ") ? name + text.substring(4) : text;
  }

  /** A line that is an example, perhaps of several commands. */
  String inExample(String line) {
    return line.replaceAll(
        "(^|\\| | )clew(?= )", "$1" + name.replace("\\", "\\\\").replace("$", "\\$"));
  }
}
