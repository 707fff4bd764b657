package dev.clew.cli;

import dev.clew.cli.command.Clew;
import dev.clew.cli.command.HelpText;
import dev.clew.cli.command.HelpTexts;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Surroundings;
import dev.clew.cli.terminal.SystemTerminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Matcher;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page, made of what the commands say of themselves. Stateless. */
final class ManPage {
  private ManPage() {}

  /** Prints it. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Surroundings nobody =
        new Surroundings(
            System.in,
            new Output(out),
            new Output(out),
            new HashMap<>(),
            SystemTerminal.of(new HashMap<>()),
            (url, opening) -> {
              throw new IllegalStateException(url);
            });
    out.print(of(CommandTree.of(new Clew(nobody))));
    out.flush();
  }

  static String of(CommandLine root) {
    StringBuilder page = new StringBuilder(".TH CLEW 1\n");
    CommandSpec top = root.getCommandSpec();
    page.append(".SH NAME\nclew \\- sessions for AI agents\n");
    page.append(".SH SYNOPSIS\n.B clew\n[OPTIONS] COMMAND\n.SH DESCRIPTION\n");
    paragraphs(page, HelpTexts.of(top).description());
    page.append(".SH OPTIONS\n");
    options(page, top, true);
    page.append(".SH COMMANDS\n");
    root.getSubcommands().values().forEach(sub -> command(page, sub));
    page.append(".SH NOTES\n");
    footer(page, HelpTexts.of(top).footer());
    return page.toString();
  }

  private static void command(StringBuilder page, CommandLine line) {
    CommandSpec command = line.getCommandSpec();
    page.append(".SS \"").append(escaped(command.qualifiedName()));
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      page.append(' ').append(escaped(parameter.paramLabel()));
    }
    page.append("\"\n");
    paragraphs(page, HelpTexts.of(command).description());
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      entry(page, parameter.paramLabel(), HelpTexts.of(command).of(parameter));
    }
    options(page, command, false);
    if (line.getSubcommands().isEmpty()) {
      footer(page, HelpTexts.of(command).footer());
    }
    line.getSubcommands().values().forEach(sub -> command(page, sub));
  }

  /** Options that all commands have are told once. */
  private static void options(StringBuilder page, CommandSpec command, boolean shared) {
    for (OptionSpec option : command.options()) {
      if (!option.hidden() && (shared || !option.inherited())) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        entry(
            page,
            String.join(", ", List.of(option.names())) + value,
            HelpTexts.of(command).of(option));
      }
    }
  }

  private static void entry(StringBuilder page, String name, List<String> description) {
    page.append(".TP\n.B ").append(escaped(name)).append('\n');
    lines(page, description);
  }

  private static void paragraphs(StringBuilder page, List<String> lines) {
    for (String line : lines) {
      page.append(".PP\n").append(escaped(line)).append('\n');
    }
  }

  /** Examples stay as they are; names with their meaning, and paragraphs, are filled. */
  private static void footer(StringBuilder page, List<String> lines) {
    for (String line : lines) {
      Matcher meaning = HelpText.MEANING.matcher(line);
      if (meaning.matches()) {
        entry(page, meaning.group(1).strip(), List.of(meaning.group(2)));
      } else if (line.startsWith("  ")) {
        page.append(".nf\n").append(escaped(line)).append("\n.fi\n");
      } else if (!line.isEmpty()) {
        page.append(".PP\n").append(escaped(line)).append('\n');
      }
    }
  }

  private static void lines(StringBuilder page, List<String> lines) {
    for (String line : lines) {
      page.append(escaped(line)).append('\n');
    }
  }

  /** A backslash starts a command of the formatter, as does a dot or a quote at the left edge. */
  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    if (text.startsWith(".") || text.startsWith("'")) {
      safe.append("\\&");
    }
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\\') {
                safe.append("\\e");
              } else if (c == '-') {
                safe.append("\\-");
              } else if (c < 128) {
                safe.appendCodePoint(c);
              } else {
                safe.append(String.format("\\[u%04X]", c));
              }
            });
    return safe.toString();
  }
}
