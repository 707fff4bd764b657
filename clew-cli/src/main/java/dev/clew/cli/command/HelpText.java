package dev.clew.cli.command;

import dev.clew.cli.terminal.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The help of a command, as wide as the terminal. Used once, by one thread.
 *
 * <p>Of a description, each element is a paragraph and the first one stands for the command in the
 * list of commands. Of a footer, a line that begins with two spaces is an example, which is left as
 * it is, or a name with its meaning; any other is a paragraph.
 */
public final class HelpText {
  /** Where nobody says how wide the terminal is. */
  static final int USUAL = 80;

  private static final int WIDEST = 100;
  private static final int NARROWEST = 40;

  /** In a terminal that is narrower than this, what a name means stands below it. */
  private static final int TWO_COLUMNS = 60;

  private static final int WIDEST_NAME = 28;

  /** A name with its meaning in a footer. */
  public static final Pattern MEANING = Pattern.compile("(  [A-Z0-9_]+ +)(.*)");

  private final int width;
  private final Program program;
  private final StringBuilder text = new StringBuilder();

  /** A name and what it means. */
  private record Row(String name, List<String> meaning) {}

  private HelpText(int width, Program program) {
    this.width = width;
    this.program = program;
  }

  static String of(CommandLine command, OptionalInt columns, Program program) {
    int width = Math.max(NARROWEST, Math.min(WIDEST, columns.orElse(USUAL)));
    HelpText help = new HelpText(width, program);
    CommandSpec spec = command.getCommandSpec();
    HelpTexts texts = HelpTexts.of(spec);
    help.lines("", "  ", "Usage: " + program.inSynopsis(synopsis(spec)));
    for (String paragraph : texts.description()) {
      help.lines("", "", paragraph);
    }
    help.section(
        "Arguments", spec.positionalParameters().stream().map(each -> row(each, texts)).toList());
    help.section(
        "Options",
        spec.options().stream()
            .filter(option -> !option.hidden())
            .map(each -> row(each, texts))
            .toList());
    help.section(
        "Commands", command.getSubcommands().values().stream().map(HelpText::row).toList());
    for (String line : texts.footer()) {
      help.footer(line);
    }
    return help.text.toString();
  }

  private static String synopsis(CommandSpec spec) {
    String[] custom = spec.usageMessage().customSynopsis();
    if (custom.length > 0) {
      return String.join(" ", custom);
    }
    StringBuilder synopsis = new StringBuilder(spec.qualifiedName()).append(" [OPTIONS]");
    spec.positionalParameters().forEach(each -> synopsis.append(' ').append(name(each)));
    return synopsis.append(spec.subcommands().isEmpty() ? "" : " COMMAND").toString();
  }

  private static String name(PositionalParamSpec parameter) {
    String name = parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
    return parameter.arity().min() == 0 ? "[" + name + "]" : name;
  }

  private static Row row(PositionalParamSpec parameter, HelpTexts texts) {
    return new Row("  " + name(parameter), texts.of(parameter));
  }

  private static Row row(OptionSpec option, HelpTexts texts) {
    String names = String.join(", ", option.names());
    if (option.negatable()) {
      names = names.replace("--", "--[no-]");
    }
    String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
    String indent = names.startsWith("--") ? "      " : "  ";
    return new Row(indent + names + value, texts.of(option));
  }

  private static Row row(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    return new Row("  " + spec.name(), List.of(HelpTexts.of(spec).description().get(0)));
  }

  private void section(String title, List<Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    text.append('\n').append(title).append(":\n");
    int widest =
        rows.stream()
            .mapToInt(row -> row.name().length())
            .filter(n -> n <= WIDEST_NAME)
            .max()
            .orElse(0);
    boolean below = width < TWO_COLUMNS;
    String indent = " ".repeat(below ? 8 : widest + 2);
    for (Row row : rows) {
      String first = row.name();
      if (below || first.length() > widest) {
        text.append(first).append('\n');
        first = indent;
      }
      for (String paragraph : row.meaning()) {
        lines(Columns.pad(first, indent.length()), indent, paragraph);
        first = indent;
      }
    }
  }

  private void footer(String line) {
    Matcher meaning = MEANING.matcher(line);
    if (meaning.matches()) {
      String name = meaning.group(1);
      lines(name, " ".repeat(width < TWO_COLUMNS ? 8 : name.length()), meaning.group(2));
    } else if (line.startsWith("  ")) {
      text.append(program.inExample(line)).append('\n');
    } else {
      lines("", "", line);
    }
  }

  /** A paragraph, whose first line begins with something and the others with something else. */
  private void lines(String first, String indent, String paragraph) {
    List<String> lines = new ArrayList<>();
    String start = first;
    String line = start;
    for (String word : program.in(paragraph).split(" ", -1)) {
      boolean fresh = line.equals(start);
      if (!fresh && Columns.width(line) + 1 + Columns.width(word) > width) {
        lines.add(line);
        start = indent;
        line = indent + word;
      } else {
        line = fresh ? line + word : line + " " + word;
      }
    }
    lines.add(line);
    lines.forEach(each -> text.append(each.stripTrailing()).append('\n'));
  }
}
