package dev.clew.cli;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** All commands and how their arguments are read. Stateless. */
final class CommandTree {
  private static final int HELP_WIDTH = 100;

  private CommandTree() {}

  static CommandLine of(Clew clew) {
    CommandLine sessions =
        new CommandLine(new SessionsCommand())
            .addSubcommand(new SessionsListCommand(clew))
            .addSubcommand(new SessionsShowCommand(clew))
            .addSubcommand(new SessionsRenameCommand(clew))
            .addSubcommand(new SessionsForkCommand(clew))
            .addSubcommand(new SessionsDeleteCommand(clew));
    CommandLine token =
        new CommandLine(new TokenCommand())
            .addSubcommand(new TokenCreateCommand(clew))
            .addSubcommand(new TokenListCommand(clew))
            .addSubcommand(new TokenRevokeCommand(clew));
    CommandLine key =
        new CommandLine(new KeyCommand())
            .addSubcommand(new KeyCreateCommand(clew))
            .addSubcommand(new KeyListCommand(clew))
            .addSubcommand(new KeyRotateCommand(clew))
            .addSubcommand(new KeyRetireCommand(clew));
    CommandLine root =
        new CommandLine(clew)
            .addSubcommand(new DemoCommand(clew))
            .addSubcommand(new ChatCommand(clew))
            .addSubcommand(new ServeCommand(clew))
            .addSubcommand(sessions)
            .addSubcommand(new AddCommand(clew))
            .addSubcommand(new PopCommand(clew))
            .addSubcommand(new UndoCommand(clew))
            .addSubcommand(new SearchCommand(clew))
            .addSubcommand(new ExportCommand(clew))
            .addSubcommand(new ImportCommand(clew))
            .addSubcommand(new MigrateCommand(clew))
            .addSubcommand(token)
            .addSubcommand(key)
            .addSubcommand(new DoctorCommand(clew))
            .addSubcommand(new SchemaCommand(clew));
    return configure(root);
  }

  private static CommandLine configure(CommandLine root) {
    // "@alice hello" and "${x}" are things people say, not files and variables.
    root.setExpandAtFiles(false)
        .setInterpolateVariables(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAllowSubcommandsAsOptionParameters(true)
        .setUsageHelpWidth(HELP_WIDTH)
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    tidyHelp(root);
    fitSharedOptions(root);
    return root;
  }

  /** The help of a command shows of the options that all have those which it uses, and how. */
  private static void fitSharedOptions(CommandLine root) {
    hide(root, "demo", "--store", "--key", "--owner");
    hide(root, "chat", "--json");
    hide(root, "serve", "--owner", "--json");
    hide(root, "migrate", "--store", "--key");
    change(
        root,
        "migrate",
        "--owner",
        option -> option.description("Only this owner's sessions. Default: those of all owners."));
    hide(root, "doctor", "--owner");
    hide(root, "schema", "--store", "--key", "--owner");
  }

  private static void hide(CommandLine root, String command, String... options) {
    for (String option : options) {
      change(root, command, option, it -> it.hidden(true));
    }
  }

  private static void change(
      CommandLine root, String command, String option, UnaryOperator<OptionSpec.Builder> how) {
    CommandSpec spec =
        Objects.requireNonNull(root.getSubcommands().get(command), command).getCommandSpec();
    // All are put back, so that they stay in their order.
    List<OptionSpec> shared = spec.options().stream().filter(OptionSpec::inherited).toList();
    shared.forEach(spec::remove);
    for (OptionSpec each : shared) {
      spec.addOption(
          each.longestName().equals(option) ? how.apply(OptionSpec.builder(each)).build() : each);
    }
  }

  private static void tidyHelp(CommandLine command) {
    command
        .getCommandSpec()
        .usageMessage()
        .abbreviateSynopsis(true)
        .sortOptions(false)
        .parameterListHeading("%nArguments:%n")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n");
    command.getSubcommands().values().forEach(CommandTree::tidyHelp);
  }

  /** What was wrong with the arguments, and where to read on. */
  static ErrorReport explain(ParameterException e) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    StringBuilder message = new StringBuilder(String.valueOf(e.getMessage()));
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> meant = unmatched.getSuggestions();
      if (!meant.isEmpty()) {
        message.append("; did you mean ").append(String.join(" or ", meant)).append('?');
      } else if (unmatched.isUnknownOption()) {
        message.append("; text that starts with '-' goes behind '--'");
      }
    }
    message.append("\ntry '").append(name).append(" --help'");
    return new ErrorReport(ExitCode.USAGE, message.toString());
  }
}
