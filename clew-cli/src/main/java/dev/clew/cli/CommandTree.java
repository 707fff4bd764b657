package dev.clew.cli;

import dev.clew.cli.chat.ChatCommand;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.Configuration;
import dev.clew.cli.command.ErrorReport;
import dev.clew.cli.demo.DemoCommand;
import dev.clew.cli.keys.KeyCommand;
import dev.clew.cli.mcp.McpCommand;
import dev.clew.cli.retention.EraseCommand;
import dev.clew.cli.retention.RetentionCommand;
import dev.clew.cli.serve.ServeCommand;
import dev.clew.cli.session.AddCommand;
import dev.clew.cli.session.RemovalCommand;
import dev.clew.cli.session.SearchCommand;
import dev.clew.cli.session.SessionsCommand;
import dev.clew.cli.session.StatsCommand;
import dev.clew.cli.store.DoctorCommand;
import dev.clew.cli.store.InitCommand;
import dev.clew.cli.store.SchemaCommand;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.tokens.TokenCommand;
import dev.clew.cli.transfer.BackupCommand;
import dev.clew.cli.transfer.ExportCommand;
import dev.clew.cli.transfer.ImportCommand;
import dev.clew.cli.transfer.MigrateCommand;
import dev.clew.cli.transfer.RestoreCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** All commands and how their arguments are read. Stateless. */
final class CommandTree {
  private CommandTree() {}

  /** In the order of the help. */
  private static final List<String> NAMES =
      List.of(
          "demo",
          "chat",
          "serve",
          "mcp",
          "init",
          "sessions",
          "add",
          "pop",
          "undo",
          "search",
          "stats",
          "export",
          "import",
          "migrate",
          "backup",
          "restore",
          "retention",
          "erase",
          "token",
          "key",
          "doctor",
          "schema",
          "completion");

  private static final String OWNER = "--owner";

  /**
   * Reads the arguments.
   *
   * <p>Reading the annotations of a command takes longer than most commands do, so that only those
   * are read whose name is among the arguments. It may stand there with another meaning; that does
   * no harm. Whatever is about the commands as such (help, errors) knows all of them.
   */
  static ParseResult parse(Clew clew, String[] typed) {
    String[] args = withoutHelpCommand(typed);
    List<String> given = Arrays.asList(args);
    Map<String, String> env = clew.surroundings().env();
    Path file = Configuration.file(given, env);
    List<String> names = file == null ? NAMES.stream().filter(given::contains).toList() : NAMES;
    CommandLine few = of(clew, names);
    Configuration configuration = Configuration.read(file, few, given, env);
    clew.configuration = configuration;
    try {
      ParseResult result = few.setDefaultValueProvider(configuration).parseArgs(args);
      if (result.hasSubcommand() || result.isVersionHelpRequested()) {
        configuration.parsed(result);
        return ownersChecked(result);
      }
    } catch (ParameterException e) {
      // Reported below, where all commands are known and the right one can be suggested.
    }
    ParseResult result = of(clew).setDefaultValueProvider(configuration).parseArgs(args);
    configuration.parsed(result);
    return ownersChecked(result);
  }

  /** Whoever names an owner must not be surprised by what happens to the others. */
  private static ParseResult ownersChecked(ParseResult result) {
    boolean named = result.hasMatchedOption(OWNER);
    ParseResult command = result;
    while (command.hasSubcommand()) {
      command = command.subcommand();
      named |= command.hasMatchedOption(OWNER);
    }
    CommandSpec spec = command.commandSpec();
    OptionSpec option = spec.findOption(OWNER);
    if (named && option != null && option.hidden() && !command.isUsageHelpRequested()) {
      throw new ParameterException(
          spec.commandLine(), "'" + spec.qualifiedName() + "' does not take " + OWNER);
    }
    return result;
  }

  /** {@code clew help sessions list} is {@code clew sessions list --help}. */
  private static String[] withoutHelpCommand(String[] args) {
    if (args.length == 0 || !args[0].equals("help")) {
      return args;
    }
    List<String> asked = new ArrayList<>(Arrays.asList(args).subList(1, args.length));
    asked.removeAll(List.of("-h", "--help"));
    asked.add("--help");
    return asked.toArray(String[]::new);
  }

  /** All commands. */
  static CommandLine of(Clew clew) {
    return of(clew, NAMES);
  }

  private static CommandLine of(Clew clew, List<String> names) {
    CommandLine root = new CommandLine(clew);
    for (String name : names) {
      root.addSubcommand(name, command(name));
    }
    return configure(root);
  }

  private static Object command(String name) {
    return switch (name) {
      case "demo" -> new DemoCommand();
      case "chat" -> new ChatCommand();
      case "serve" -> new ServeCommand();
      case "mcp" -> new McpCommand();
      case "init" -> new InitCommand();
      case "sessions" -> new SessionsCommand();
      case "add" -> new AddCommand();
      case "pop" -> new RemovalCommand.Pop();
      case "undo" -> new RemovalCommand.Undo();
      case "search" -> new SearchCommand();
      case "stats" -> new StatsCommand();
      case "export" -> new ExportCommand();
      case "import" -> new ImportCommand();
      case "migrate" -> new MigrateCommand();
      case "backup" -> new BackupCommand();
      case "restore" -> new RestoreCommand();
      case "retention" -> new RetentionCommand();
      case "erase" -> new EraseCommand();
      case "token" -> new TokenCommand();
      case "key" -> new KeyCommand();
      case "doctor" -> new DoctorCommand();
      case "schema" -> new SchemaCommand();
      case "completion" -> new CompletionCommand();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static CommandLine configure(CommandLine root) {
    // "@alice hello" and "${x}" are things people say, not files and variables.
    root.setExpandAtFiles(false)
        .setInterpolateVariables(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAllowSubcommandsAsOptionParameters(true);
    fitSharedOptions(root);
    return root;
  }

  /** The help of a command shows of the options that all have those which it uses. */
  private static void fitSharedOptions(CommandLine root) {
    hide(root, "demo", "--store", "--key", "--owner");
    hide(root, "chat", "--json");
    hide(root, "serve", "--owner", "--json");
    hide(root, "mcp", "--json");
    hide(root, "init", "--owner");
    hide(root, "migrate", "--store", "--key");
    hide(root, "backup", "--key");
    for (String command : List.of("run", "remove", "show")) {
      hide(root, "retention " + command, "--owner");
    }
    for (String command : List.of("create", "list", "rotate", "retire", "restore")) {
      hide(root, "key " + command, "--owner");
    }
    hide(root, "token revoke", "--owner");
    hide(root, "doctor", "--owner");
    hide(root, "schema", "--store", "--key", "--owner");
    hide(root, "completion", "--store", "--key", "--owner");
  }

  private static void hide(CommandLine root, String command, String... options) {
    CommandLine line = root;
    for (String name : command.split(" ", -1)) {
      line = line.getSubcommands().get(name);
      if (line == null) {
        return;
      }
    }
    CommandSpec spec = line.getCommandSpec();
    // All are put back, so that they stay in their order.
    List<OptionSpec> shared = spec.options().stream().filter(OptionSpec::inherited).toList();
    shared.forEach(spec::remove);
    for (OptionSpec each : shared) {
      boolean hidden = List.of(options).contains(each.longestName());
      spec.addOption(hidden ? OptionSpec.builder(each).hidden(true).build() : each);
    }
  }

  /** What was wrong with the arguments, and where to read on. */
  static ErrorReport explain(ParameterException e) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    return new ErrorReport(ExitCode.USAGE, problem(e) + "\ntry '" + name + " --help'");
  }

  private static String problem(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched);
    }
    ArgSpec arg = e.getArgSpec();
    if (e instanceof MissingParameterException missing) {
      return missing.getMissing().stream()
          .map(CommandTree::missing)
          .collect(Collectors.joining(", "));
    }
    if (e instanceof OverwrittenOptionException twice) {
      return name(twice.getOverwritten()) + " is given twice; write it once";
    }
    if (arg == null || e.getValue() == null) {
      return String.valueOf(e.getMessage());
    }
    return name(arg) + " is '" + e.getValue() + "'; write " + kind(arg.auxiliaryTypes()[0]);
  }

  private static String unmatched(UnmatchedArgumentException e) {
    String first = "'" + e.getUnmatched().get(0) + "'";
    boolean options = e.isUnknownOption();
    List<String> meant = CloseWords.of(e.getUnmatched().get(0).replaceFirst("=.*", ""), known(e));
    String what =
        options
            ? "there is no option " + first
            : e.getCommandLine().getSubcommands().isEmpty()
                ? first + " is one argument too many"
                : "there is no command " + first;
    if (!meant.isEmpty()) {
      return what + "; did you mean " + String.join(" or ", meant) + "?";
    }
    return what + (options ? "; put text that starts with '-' after '--'" : "");
  }

  /** The words that could stand there. */
  private static Set<String> known(UnmatchedArgumentException e) {
    CommandLine command = e.getCommandLine();
    return e.isUnknownOption()
        ? command.getCommandSpec().options().stream()
            .map(OptionSpec::longestName)
            .collect(Collectors.toCollection(TreeSet::new))
        : new TreeSet<>(command.getSubcommands().keySet());
  }

  private static String missing(ArgSpec arg) {
    return arg instanceof OptionSpec
        ? name(arg) + " needs a value; write " + name(arg) + " " + arg.paramLabel()
        : name(arg) + " is missing";
  }

  private static String name(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }

  private static String kind(Class<?> type) {
    return type.isEnum()
        ? Stream.of(type.getEnumConstants())
            .map(each -> each.toString().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "))
            .replaceFirst(", ([^,]*)$", " or $1")
        : "a whole number";
  }
}
