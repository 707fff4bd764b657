package dev.clew.cli;

import dev.clew.cli.command.HelpTexts;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion of our commands for fish, for which picocli has none. Stateless. */
final class FishCompletion {
  private FishCompletion() {}

  static String of(CommandLine root) {
    StringBuilder script =
        new StringBuilder("# Completion of clew for fish.\ncomplete -c clew -f\n");
    CommandSpec top = root.getCommandSpec();
    names(script, top, "__fish_use_subcommand");
    options(script, top, "__fish_use_subcommand");
    for (CommandLine each : root.getSubcommands().values()) {
      CommandSpec command = each.getCommandSpec();
      String here = "__fish_seen_subcommand_from " + command.name();
      if (command.subcommands().isEmpty()) {
        options(script, command, here);
        continue;
      }
      String below = String.join(" ", command.subcommands().keySet());
      names(script, command, here + "; and not __fish_seen_subcommand_from " + below);
      for (CommandLine sub : each.getSubcommands().values()) {
        CommandSpec spec = sub.getCommandSpec();
        options(script, spec, here + "; and __fish_seen_subcommand_from " + spec.name());
      }
    }
    return script.toString();
  }

  private static void names(StringBuilder script, CommandSpec command, String when) {
    command
        .subcommands()
        .forEach(
            (name, sub) ->
                line(
                    script, when, " -a " + name, HelpTexts.of(sub.getCommandSpec()).description()));
  }

  private static void options(StringBuilder script, CommandSpec command, String when) {
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        String names =
            List.of(option.names()).stream()
                .map(
                    name ->
                        name.startsWith("--")
                            ? " -l " + name.substring(2)
                            : " -s " + name.substring(1))
                .collect(Collectors.joining());
        String value =
            option.arity().max() == 0
                ? ""
                : option.longestName().equals("--config") ? " -r -F" : " -x";
        line(script, when, names + value, HelpTexts.of(command).of(option));
      }
    }
  }

  private static void line(
      StringBuilder script, String when, String what, List<String> description) {
    script
        .append("complete -c clew -n ")
        .append(quoted(when))
        .append(what)
        .append(" -d ")
        .append(quoted(description.get(0)))
        .append('\n');
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
