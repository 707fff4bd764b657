package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Stores;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.HelpTexts;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Surroundings;
import dev.clew.cli.terminal.SystemTerminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Help, exit codes, and that docs/cli.md knows every command and option. */
class UsageTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "cli.md");
  private static final Path HELP =
      Path.of("src", "main", "resources", "dev", "clew", "cli", "command", "help.txt");

  private final Shell shell = new Shell();

  private static List<CommandSpec> commands() {
    List<CommandSpec> all = new ArrayList<>();
    collect(tree(), all);
    return all;
  }

  static CommandLine tree() {
    return CommandTree.of(
        new Clew(
            new Surroundings(
                new ByteArrayInputStream(new byte[0]),
                new Output(new ByteArrayOutputStream()),
                new Output(new ByteArrayOutputStream()),
                new HashMap<>(),
                SystemTerminal.of(new HashMap<>()),
                Stores::open)));
  }

  private static void collect(CommandLine command, List<CommandSpec> all) {
    all.add(command.getCommandSpec());
    command.getSubcommands().values().forEach(sub -> collect(sub, all));
  }

  private static List<String> examples(CommandSpec command) {
    return HelpTexts.of(command).footer().stream()
        .map(String::strip)
        .filter(line -> line.contains("clew ") && !line.startsWith("'"))
        .toList();
  }

  @TestFactory
  Stream<DynamicTest> everyCommandHasAHelpWithExamples() {
    return commands().stream()
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.qualifiedName(),
                    () -> {
                      String[] args = (command.qualifiedName() + " --help").split(" ", -1);
                      Result help = shell.run(Arrays.copyOfRange(args, 1, args.length));
                      assertThat(help.code()).isZero();
                      assertThat(help.err()).isEmpty();
                      assertThat(help.out())
                          .contains("Usage: " + command.qualifiedName(), "Examples:")
                          .contains("--no-color", "--help");
                      assertThat(command.options())
                          .extracting(OptionSpec::longestName)
                          .contains("--store", "--owner", "--json");
                      assertThat(examples(command)).isNotEmpty();
                    }));
  }

  @Test
  void theHelpShowsOfTheSharedOptionsThoseThatACommandUses() {
    shell.wide(100);
    assertThat(help("sessions", "list")).contains("--store=", "--owner=", "--json");
    assertThat(help("migrate"))
        .contains("migrate --from=URL --to=URL [OPTIONS]", "--owner=", "all owners")
        .doesNotContain("--store", "default owner");
    assertThat(help("demo")).contains("--json").doesNotContain("--store=", "--owner=");
    assertThat(help("doctor")).contains("--store=").doesNotContain("--owner=");
    assertThat(help("schema")).contains("--json").doesNotContain("--store=", "--owner=");
    assertThat(help("chat")).contains("--store=", "--owner=").doesNotContain("--json");
  }

  @Test
  void aSharedOptionIsUnderstoodBeforeEveryCommand() {
    Result result = shell.run("--owner", "ann", "--store", "memory:", "stats", "--json");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(shell.opened).containsExactly("memory:");
    assertThat(shell.run("--store", "memory:", "schema", "postgres").code()).isZero();
    assertThat(shell.run("--json", "chat").error()).containsEntry("code", "usage");
  }

  @Test
  void everyDescriptionIsWholeSentences_theFirstOfWhichStandsForItself() {
    for (CommandSpec command : commands()) {
      HelpTexts texts = HelpTexts.of(command);
      assertThat(texts.description().get(0))
          .as(command.qualifiedName())
          .matches("[A-Z].*[^.]\\.")
          .doesNotContain(". ");
      List<String> paragraphs = new ArrayList<>(texts.description());
      for (ArgSpec argument : command.args()) {
        assertThat(texts.of(argument)).as(command.qualifiedName() + " " + argument).isNotEmpty();
        paragraphs.addAll(texts.of(argument));
      }
      assertThat(paragraphs)
          .as(command.qualifiedName())
          .allSatisfy(text -> assertThat(text).matches("[A-Za-z].*\\."));
      assertThat(texts.footer())
          .as(command.qualifiedName())
          .filteredOn(line -> !line.isEmpty() && !line.startsWith("  "))
          .allSatisfy(text -> assertThat(text).matches("['A-Z].*[.:]"));
    }
  }

  @Test
  void theFileOfTheHelpSaysNothingOfWhatDoesNotExist() throws IOException {
    List<CommandSpec> commands = commands();
    List<String> known = new ArrayList<>();
    for (CommandSpec command : commands) {
      known.add("# " + command.qualifiedName());
      for (ArgSpec argument : command.args()) {
        known.add(
            command.qualifiedName()
                + (argument instanceof OptionSpec option
                    ? option.longestName()
                    : argument.paramLabel()));
      }
    }
    known.add("clew--yes"); // what several commands share
    String command = "";
    for (String line : Files.readAllLines(HELP)) {
      if (line.startsWith("# ")) {
        command = line.substring(2);
        assertThat(known).contains(line);
      } else if (line.matches("(--[a-z-]+|[A-Z_]+)  .*")) {
        assertThat(known).contains(command + line.replaceFirst(" .*", ""));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 80, 100})
  void theHelpFitsTheTerminal(int columns) {
    shell.wide(columns);
    for (CommandSpec command : commands()) {
      String help = help(command);
      assertThat(help.lines())
          .as(command.qualifiedName())
          .filteredOn(line -> !line.matches("  .*clew .*") && line.strip().contains(" "))
          .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
      assertThat(brokenTwice(help, columns)).as(command.qualifiedName()).isEmpty();
    }
  }

  /** Lines that end although the first word of the next one, at the same indent, would fit. */
  private static List<String> brokenTwice(String help, int columns) {
    List<String> lines = help.lines().toList();
    List<String> broken = new ArrayList<>();
    for (int i = 1; i < lines.size() - 1; i++) {
      String next = lines.get(i + 1);
      boolean goesOn =
          next.matches(" {8,}[a-z].*")
              && !lines.get(i).endsWith(".")
              && lines.get(i).startsWith(next.substring(0, next.indexOf(next.strip())));
      if (goesOn
          && lines.get(i).length() + 1 + next.strip().split(" ", -1)[0].length() <= columns) {
        broken.add(lines.get(i));
      }
    }
    return broken;
  }

  private String help(CommandSpec command) {
    String[] words = command.qualifiedName().split(" ", -1);
    return help(Arrays.copyOfRange(words, 1, words.length));
  }

  @Test
  void helpMayBeAskedForByACommand() {
    assertThat(shell.run("help", "sessions", "list"))
        .isEqualTo(shell.run("sessions", "list", "-h"));
    assertThat(shell.run("help", "sessions").out()).contains("Usage: clew sessions", "decompress");
    assertThat(shell.run("help")).isEqualTo(shell.run("--help"));
    assertThat(shell.run("help", "--help").code()).isZero();
    assertThat(shell.run("help", "nonsense").err()).contains("nonsense");
  }

  @Test
  void whatIsSuggestedIsCalledAsThisWasCalled() {
    shell.env.put("CLEW_PROGRAM", "./clew");
    assertThat(shell.run("sessions", "list", "--nonsense").err())
        .contains("try './clew sessions list --help'");
    assertThat(shell.run("sessions", "show", "x").err()).contains("'./clew sessions list'");
    assertThat(shell.run("sessions", "list").err()).contains("'./clew add my-session Hello'");
    assertThat(shell.run("token", "list").err()).contains("'./clew token create ");
    assertThat(help("add"))
        .contains("Usage: ./clew add", "  ./clew add trip", "| ./clew add trip -")
        .doesNotContainPattern("(?m)^  clew ");
    assertThat(shell.run("demo", "--keep").out())
        .contains("  ./clew --store sqlite:", "  ./clew add");
  }

  private String help(String... command) {
    String[] args = Arrays.copyOf(command, command.length + 1);
    args[command.length] = "--help";
    return shell.run(args).out();
  }

  @TestFactory
  Stream<DynamicTest> everyExampleOfTheHelpCanBeTyped() {
    CommandLine tree = tree();
    return commands().stream()
        .flatMap(command -> examples(command).stream())
        .map(
            example ->
                DynamicTest.dynamicTest(
                    example,
                    () -> {
                      // Another program may run it: claude mcp add clew -- clew mcp
                      String typed = example.substring(example.lastIndexOf("clew ") + 5);
                      List<String> words = words(typed.split(" > ", -1)[0]);
                      assertThat(tree.parseArgs(words.toArray(String[]::new)).errors()).isEmpty();
                    }));
  }

  /** As a shell splits a line, as far as the examples go. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean any = false;
    for (char c : (line + " ").toCharArray()) {
      if (quote == 0 && c == ' ') {
        if (any) {
          words.add(word.toString());
        }
        word.setLength(0);
        any = false;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
        any = true;
      } else if (c == quote) {
        quote = 0;
      } else {
        word.append(c);
        any = true;
      }
    }
    return words;
  }

  @TestFactory
  Stream<DynamicTest> theDocumentKnowsEveryCommandAndOption() throws IOException {
    String document = Files.readString(DOCUMENT);
    return commands().stream()
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.qualifiedName(),
                    () -> {
                      assertThat(document).contains(command.qualifiedName());
                      command
                          .options()
                          .forEach(option -> assertThat(document).contains(option.longestName()));
                    }));
  }

  @Test
  void theHelpListsTheExitCodesAndSoDoesTheDocument() throws IOException {
    String help = shell.run("--help").out();
    String document = Files.readString(DOCUMENT);
    for (int code : new int[] {0, 1, 2, 3, 4, 5, 130, 141}) {
      assertThat(help).containsPattern("(?m)^  " + code + " ");
      assertThat(document).contains("| " + code + " |");
    }
  }

  @Test
  void aWrongCommandLineIsToldInTwoLines() {
    Result unknown = shell.run("sessions", "list", "--limt", "3");
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err())
        .hasLineCount(2)
        .contains("--limt", "did you mean", "--limit", "clew sessions list --help");
    assertThat(shell.run("sesions").err()).contains("sesions");
    assertThat(shell.run("add", "s", "-5 degrees").err()).contains("'--'");
  }

  @Test
  void withoutACommandTheHelpGoesToStandardError() {
    for (String[] args : new String[][] {{}, {"sessions"}}) {
      Result result = shell.run(args);
      assertThat(result.code()).isEqualTo(ExitCode.USAGE);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains("Commands:");
    }
  }

  @Test
  void versionNamesItself() {
    Result result = shell.run("--version");
    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("clew ");
  }

  @Test
  void errorsAreJsonWithJson() {
    assertThat(shell.run("sessions", "show", "nowhere", "--json").error())
        .containsOnlyKeys("code", "message")
        .containsEntry("code", "not_found");
    assertThat(shell.run("--json", "nonsense").error()).containsEntry("code", "usage");
    assertThat(shell.run("pop", "x", "--json").error()).containsEntry("code", "refused");
  }

  @Test
  void aUrlNoStoreKnowsIsWrongUsage() {
    Result result = shell.onRealStores().run("sessions", "list", "--store", "nosuch://me:pw@host");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("nosuch:", "memory:").doesNotContain("pw").hasLineCount(1);
  }

  @Test
  void aBusySessionIsAConflict() {
    shell.opening(
        url -> {
          throw new ClewException.SessionBusy("busy until noon; try again later");
        });
    assertThat(shell.run("sessions", "list").code()).isEqualTo(ExitCode.CONFLICT);
  }

  @Test
  void aStackTraceIsShownOnlyForDebugging() {
    shell.opening(
        url -> {
          throw new IllegalStateException("a bug");
        });
    Result result = shell.run("sessions", "list");
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).hasLineCount(1).contains("a bug", "CLEW_DEBUG=1");
    shell.env.put("CLEW_DEBUG", "1");
    assertThat(shell.run("sessions", "list").err()).contains("\tat ");
  }
}
