package dev.clew.cli.command;

import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What {@code clew.yaml} says for options that are given neither in the command line nor in the
 * environment. Immutable.
 *
 * <pre>
 * store: postgres://db.example.org/clew   # options that all commands have
 * serve:                                  # options of one command, named as in its help
 *   port: 8080
 *   strict: true
 *   allow-origin: [https://chat.example.org]
 * </pre>
 */
public final class Configuration implements IDefaultValueProvider {
  static final String OPTION = "--config";
  static final String VARIABLE = "CLEW_CONFIG";

  private final List<String> args;
  private final Map<String, String> env;
  private final YamlSection file;

  /** The values that options of the command that runs have from the file, by option. */
  private final Map<String, Told> told = new LinkedHashMap<>();

  private record Told(String value, String place) {}

  private Configuration(List<String> args, Map<String, String> env, YamlSection file) {
    this.args = args;
    this.env = env;
    this.file = file;
  }

  /** The file that was named, else the usual one if it exists, else none. */
  public static @Nullable Path file(List<String> args, Map<String, String> env) {
    String told = told(args, env);
    if (told != null) {
      return Path.of(told);
    }
    String base = env.getOrDefault("XDG_CONFIG_HOME", "");
    String home = env.getOrDefault("HOME", "");
    if (base.isBlank() && home.isBlank()) {
      return null;
    }
    Path usual =
        (base.isBlank() ? Path.of(home, ".config") : Path.of(base)).resolve("clew/clew.yaml");
    return Files.exists(usual) ? usual : null;
  }

  private static @Nullable String told(List<String> args, Map<String, String> env) {
    for (int i = 0; i < args.size() && !args.get(i).equals("--"); i++) {
      String arg = args.get(i);
      if (arg.equals(OPTION) && i + 1 < args.size()) {
        return args.get(i + 1);
      }
      if (arg.startsWith(OPTION + "=")) {
        return arg.substring(OPTION.length() + 1);
      }
    }
    String value = env.getOrDefault(VARIABLE, "");
    return value.isBlank() ? null : value;
  }

  /** Reads the file, and lets it speak for options that were not given. */
  public static Configuration apply(
      Path path, CommandLine root, List<String> args, Map<String, String> env) {
    try {
      YamlSection file = YamlSection.read(path);
      check(root.getCommandSpec(), file, "");
      Configuration configuration = new Configuration(args, env, file);
      root.setDefaultValueProvider(configuration);
      return configuration;
    } catch (IOException e) {
      throw Failure.usage("cannot read the configuration " + path + ": " + Words.reason(e));
    }
  }

  /** Every name in the file is an option or a command, whichever command runs. */
  private static void check(CommandSpec command, YamlSection section, String where) {
    for (String name : section.names()) {
      CommandLine sub = command.subcommands().get(name);
      OptionSpec option = command.findOption("--" + name);
      if (sub != null && (option == null || section.hasSection(name))) {
        check(sub.getCommandSpec(), section.section(name), where + name + " ");
        continue;
      }
      if (option == null || option.usageHelp() || option.versionHelp() || name.equals("config")) {
        throw section.wrong(name, unknown(command, name, where));
      }
      if (option.inherited() && !where.isEmpty()) {
        throw section.wrong(name, "'" + name + "' is for all commands; write it at the left edge");
      }
      value(section, name, option);
    }
  }

  private static String unknown(CommandSpec command, String name, String where) {
    TreeSet<String> known = new TreeSet<>(command.subcommands().keySet());
    for (OptionSpec option : command.options()) {
      if (!option.inherited() || where.isEmpty()) {
        known.add(option.longestName().replaceFirst("^--", ""));
      }
    }
    known.removeAll(List.of("help", "version", "config"));
    String place = where.isEmpty() ? "there is" : "clew " + where.strip() + " has";
    return place + " no option '" + name + "'; known are " + String.join(", ", known);
  }

  private static String value(YamlSection section, String name, OptionSpec option) {
    List<String> values = section.values(name);
    if (values.size() == 1) {
      String value = values.get(0);
      if (isFlag(option) && !value.matches("true|false")) {
        throw section.wrong(name, "'" + name + "' is '" + value + "'; write true or false");
      }
      return value;
    }
    String separator = option.splitRegex();
    if (separator.isEmpty() || values.isEmpty()) {
      throw section.wrong(name, "'" + name + "' takes one value");
    }
    return String.join(separator, values);
  }

  private static boolean isFlag(OptionSpec option) {
    return option.arity().max() == 0;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec arg) {
    // What a command inherits is asked for where it comes from.
    if (!(arg instanceof OptionSpec option) || option.inherited()) {
      return null;
    }
    String name = option.longestName().replaceFirst("^--", "");
    YamlSection section = section(option);
    if (section == null || !section.names().contains(name) || isGiven(option, name)) {
      return null;
    }
    String value = value(section, name, option);
    told.put("--" + name, new Told(value, section.place(name)));
    return value;
  }

  /** What was wrong with an option, and where in the file that stands if it is from there. */
  public ErrorReport located(ErrorReport report) {
    if (report.exitCode() != ExitCode.USAGE) {
      return report;
    }
    for (Map.Entry<String, Told> each : told.entrySet()) {
      Pattern option = Pattern.compile("(?<![\\w-])" + each.getKey() + "(?![\\w-])");
      if (option.matcher(report.message()).find()
          && report.message().contains("'" + each.getValue().value() + "'")) {
        return new ErrorReport(
            report.exitCode(), each.getValue().place() + ": " + report.message());
      }
    }
    return report;
  }

  private @Nullable YamlSection section(OptionSpec option) {
    YamlSection section = file;
    String[] path = option.command().qualifiedName(" ").split(" ", -1);
    for (int i = 1; i < path.length; i++) {
      if (!section.hasSection(path[i])) {
        return null;
      }
      section = section.section(path[i]);
    }
    return section;
  }

  /** A flag that is given turns its default value around, so it must not get one. */
  private boolean isGiven(OptionSpec option, String name) {
    String variable = "CLEW_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    return !env.getOrDefault(variable, "").isBlank()
        || (isFlag(option) && args.contains("--" + name));
  }
}
