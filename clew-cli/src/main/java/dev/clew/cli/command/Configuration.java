package dev.clew.cli.command;

import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The values of options that are not on the command line: those of the environment, else those of
 * {@code clew.yaml}. Used once, by one thread.
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
  private final @Nullable YamlSection file;

  /** The values that options of the command have from elsewhere, by option. */
  private final Map<String, Found> found = new LinkedHashMap<>();

  /**
   * A value and where it is.
   *
   * @param items where each item of a list is
   */
  private record Found(String value, String place, Map<String, String> items) {
    /** Where this value is, or the list if it is none of its items. */
    String placeOf(@Nullable String item) {
      return item == null ? place : items.getOrDefault(item, place);
    }
  }

  private Configuration(List<String> args, Map<String, String> env, @Nullable YamlSection file) {
    this.args = args;
    this.env = env;
    this.file = file;
  }

  /**
   * Reads the file, if there is one.
   *
   * @param root all commands, against which the file is checked
   */
  public static Configuration read(
      @Nullable Path path, CommandLine root, List<String> args, Map<String, String> env) {
    try {
      YamlSection file = path == null ? null : YamlSection.read(path);
      if (file != null) {
        check(root.getCommandSpec(), file, "");
      }
      return new Configuration(args, env, file);
    } catch (NoSuchFileException e) {
      throw Failure.notFound("cannot read the configuration " + path + ": no such file");
    } catch (IOException e) {
      throw Failure.failed("cannot read the configuration " + path + ": " + Humanize.reason(e));
    }
  }

  /** The file that was named, else the usual one if it exists, else none. */
  public static @Nullable Path file(List<String> args, Map<String, String> env) {
    String named = named(args, env);
    if (named != null) {
      return Path.of(named);
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

  private static @Nullable String named(List<String> args, Map<String, String> env) {
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
        throw section.wrong(
            name, "'" + name + "' applies to all commands; write it at the left edge");
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
    return place + " no option '" + name + "'; write one of " + String.join(", ", known);
  }

  private static String value(YamlSection section, String name, OptionSpec option) {
    List<String> values = section.values(name).stream().map(YamlSection.Value::text).toList();
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
    // What a command inherits is asked for where it comes from. A flag that is given turns its
    // default value around, so it must not get one.
    if (!(arg instanceof OptionSpec option)
        || option.inherited()
        || (isFlag(option) && args.contains(option.longestName()))) {
      return null;
    }
    Found value = fromEnvironment(option);
    value = value == null ? fromFile(option) : value;
    if (value == null) {
      return null;
    }
    found.put(option.longestName(), value);
    return value.value();
  }

  /** Forgets the values of options that are on the command line, which wins. */
  public void parsed(ParseResult result) {
    for (ParseResult at = result; at != null; at = at.subcommand()) {
      at.matchedOptions().forEach(option -> found.remove(option.longestName()));
    }
  }

  /** Whether the environment or the file gives an option its value. */
  boolean gives(String option) {
    return found.containsKey(option);
  }

  /**
   * The variable, or the file and line, that gives an option its value.
   *
   * @param item which value is meant, if the option has several
   */
  Optional<String> place(String option, @Nullable String item) {
    return Optional.ofNullable(found.get(option)).map(value -> value.placeOf(item));
  }

  /** The same for a value that the parser refused. */
  Optional<String> place(ParameterException refused) {
    if (!(refused.getArgSpec() instanceof OptionSpec option)) {
      return Optional.empty();
    }
    Found value = found.get(option.longestName());
    String wrong = refused.getValue();
    return value != null && (value.value().equals(wrong) || value.items().containsKey(wrong))
        ? place(option.longestName(), wrong)
        : Optional.empty();
  }

  /** From a variable that is called as the option, if the help names it. */
  private @Nullable Found fromEnvironment(OptionSpec option) {
    String name = option.longestName().substring(2);
    String variable = "CLEW_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    String value = env.getOrDefault(variable, "");
    return value.isBlank() || !isNamed(variable, option)
        ? null
        : new Found(value, variable, Map.of());
  }

  private static boolean isNamed(String variable, OptionSpec option) {
    return HelpTexts.of(option.command()).of(option).stream()
        .anyMatch(text -> text.contains("$" + variable));
  }

  private @Nullable Found fromFile(OptionSpec option) {
    String name = option.longestName().replaceFirst("^--", "");
    YamlSection section = section(option);
    return section == null || !section.names().contains(name)
        ? null
        : new Found(
            value(section, name, option), section.place(name), items(section, name, option));
  }

  private static Map<String, String> items(YamlSection section, String name, OptionSpec option) {
    Map<String, String> items = new HashMap<>();
    if (!option.splitRegex().isEmpty()) {
      for (YamlSection.Value value : section.values(name)) {
        for (String item : value.text().split(option.splitRegex(), -1)) {
          items.putIfAbsent(item.strip(), value.place());
        }
      }
    }
    return items;
  }

  private @Nullable YamlSection section(OptionSpec option) {
    YamlSection section = file;
    String[] path = option.command().qualifiedName(" ").split(" ", -1);
    for (int i = 1; i < path.length && section != null; i++) {
      section = section.hasSection(path[i]) ? section.section(path[i]) : null;
    }
    return section;
  }
}
