package dev.clew.cli.command;

import dev.clew.kit.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What the help says of a command, from {@code help.txt}: a section for each command, with its
 * description, its arguments and options, and what follows them. Each line is a paragraph.
 * Immutable.
 */
public final class HelpTexts {
  private static final String ROOT = "clew";
  private static final Pattern ENTRY = Pattern.compile("(--[a-z-]+|[A-Z_]+)  +(.*)");
  private static final String MORE = " ".repeat(8);

  private final List<String> description = new ArrayList<>();
  private final Map<String, List<String>> entries = new HashMap<>();
  private final List<String> footer = new ArrayList<>();

  /** Read when it is first needed: most commands are called without. */
  private static final class All {
    static final Map<String, HelpTexts> BY_COMMAND = read();

    private static Map<String, HelpTexts> read() {
      String text = Resources.text(HelpTexts.class, "help.txt");
      Map<String, HelpTexts> all = new HashMap<>();
      for (String section : text.strip().split("\n\n# ", -1)) {
        String[] lines = section.split("\n", -1);
        all.put(lines[0].replaceFirst("^# ", ""), new HelpTexts(lines));
      }
      return all;
    }
  }

  private HelpTexts(String[] lines) {
    List<String> last = List.of();
    for (int i = 1; i < lines.length; i++) {
      Matcher entry = ENTRY.matcher(lines[i]);
      if (entry.matches()) {
        last = new ArrayList<>(List.of(entry.group(2)));
        entries.put(entry.group(1), last);
        footer.clear(); // the empty line before the entries
      } else if (lines[i].startsWith(MORE)) {
        last.add(lines[i].strip());
      } else if (footer.isEmpty() && !lines[i].isEmpty()) {
        description.add(lines[i]);
      } else {
        footer.add(lines[i]);
      }
    }
  }

  public static HelpTexts of(CommandSpec command) {
    return of(command.qualifiedName());
  }

  private static HelpTexts of(String command) {
    return Objects.requireNonNull(All.BY_COMMAND.get(command), command);
  }

  /** What a command does; the first paragraph stands for itself. */
  public List<String> description() {
    return List.copyOf(description);
  }

  /** What an argument or option means; of what several commands share, the root may say it. */
  public List<String> of(ArgSpec argument) {
    String name =
        argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    List<String> own = entries.get(name);
    return List.copyOf(own != null ? own : of(ROOT).entries.getOrDefault(name, List.of()));
  }

  /** Examples and remarks. */
  public List<String> footer() {
    return List.copyOf(footer);
  }
}
