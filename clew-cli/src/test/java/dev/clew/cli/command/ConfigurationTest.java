package dev.clew.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options from a file: who wins, and what is said of a file that is wrong. */
class ConfigurationTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();

  private Result withFile(String text, String... args) throws IOException {
    Path file = Files.writeString(folder.resolve("clew.yaml"), text);
    shell.env.put("CLEW_CONFIG", file.toString());
    return shell.run(args);
  }

  @Test
  void aFileSpeaksForOptionsThatWereNotGiven() throws IOException {
    Result listed = withFile("store: 'sqlite:there.db'\njson: true\n", "sessions", "list");
    assertThat(listed.code()).as(listed.err()).isZero();
    assertThat(shell.opened).containsExactly("sqlite:there.db");
    assertThat(listed.json()).containsKey("sessions");
  }

  @Test
  void theEnvironmentWinsOverTheFile_andTheCommandLineOverBoth() throws IOException {
    shell.env.put("CLEW_STORE", "sqlite:env.db");
    withFile("store: sqlite:file.db\n", "sessions", "list");
    withFile("store: sqlite:file.db\n", "--store", "sqlite:before.db", "sessions", "list");
    withFile("store: sqlite:file.db\n", "sessions", "list", "--store", "sqlite:behind.db");
    assertThat(shell.opened)
        .containsExactly("sqlite:env.db", "sqlite:before.db", "sqlite:behind.db");
  }

  @Test
  void aCommandHasASectionOfItsOwn() throws IOException {
    shell.run("add", "a", "one");
    shell.run("add", "b", "two");
    String file = "sessions:\n  list:\n    limit: 1\n";
    assertThat(withFile(file, "sessions", "list").out()).hasLineCount(2);
    assertThat(withFile(file, "sessions", "list", "--limit", "5").out()).hasLineCount(3);
  }

  @Test
  void aFlagOfTheFileStaysSetWhenItIsGivenAsWell() throws IOException {
    assertThat(withFile("json: true\n", "sessions", "list", "--json").out()).startsWith("{");
    assertThat(withFile("json: true\n", "--json", "sessions", "list").out()).startsWith("{");
  }

  @Test
  void theUsualPlaceIsLookedAt_andOneThatWasNamedMustBeThere() throws IOException {
    Path file = folder.resolve("clew").resolve("clew.yaml");
    Files.createDirectory(folder.resolve("clew"));
    Files.writeString(file, "store: sqlite:usual.db\n");
    shell.env.put("XDG_CONFIG_HOME", folder.toString());
    shell.run("sessions", "list");
    assertThat(shell.opened).containsExactly("sqlite:usual.db");

    Result none = shell.run("sessions", "list", "--config", "/nowhere/clew.yaml");
    assertThat(none.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(none.err()).contains("/nowhere/clew.yaml").hasLineCount(1);
  }

  @Test
  void aValueOfTheWrongKindIsToldWithItsLine() throws IOException {
    String file =
        "store: sqlite:x.db\nsessions:\n  list:\n    limit: fifty\nserve:\n  port: http\n";
    assertThat(withFile(file, "sessions", "list").err())
        .contains("clew.yaml, line 4: --limit is 'fifty'");
    assertThat(withFile(file, "serve").err()).contains("clew.yaml, line 6: --port is 'http'");
    assertThat(withFile(file, "sessions", "list", "--limit", "few").err())
        .contains("'few'")
        .doesNotContain("line");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"store: bogus:x\"                     | 1 | sessions list     | no store for 'bogus:x'",
        "\"json: false\nstore: sqlite://x.db\" | 2 | sessions list     | two slashes",
        "\"store: sqlite:no.db\"                | 1 | sessions list     | no.db",
        "\"key: bogus\"                         | 1 | sessions list     | --key: ",
        "\"sessions:\n  list:\n    limit: 0\"  | 3 | --store memory: sessions list | limit is 0",
        "\"search:\n  limit: 5000\"            | 2 | --store memory: search x | limit is 5000",
        "\"search:\n  since: soon\"            | 2 | search x          | --since is 'soon'",
        "\"serve:\n  model:\n    - offline\n    - foo:bar\" | 4 | serve | no model 'foo:bar'",
        "\"serve:\n  allow-origin:\n    - https://a.example\n    - 'b c'\" | 4 | serve | b c",
        "\"chat:\n  history: -1\"              | 2 | chat              | --history is -1",
        "\"chat:\n  model: nobody\"            | 2 | chat              | no model 'nobody'",
        "\"serve:\n  port: 99999\"             | 2 | serve             | --port is '99999'",
        "\"retention:\n  set:\n    count: 0\"  | 3 | retention set p   | --count is 0",
        "\"token:\n  create:\n    scope: king\" | 3 | token create    | no scope 'king'",
        "\"owner: 'a\tb'\"                     | 1 | sessions list     | control character",
        "\"stats:\n  since: soon\"             | 2 | stats             | --since is 'soon'",
        "\"search:\n  context: 500\"           | 2 | search x          | --context is 500",
        "\"search:\n  session: 'a\tb'\"        | 2 | search x          | control character",
        "\"sessions:\n  show:\n    limit: -1\" | 3 | sessions show s   | --limit is -1",
        "\"add:\n  item: '{bad'\"              | 2 | add s             | --item[0]",
        "\"add:\n  items: no.json\"            | 2 | add s             | no file 'no.json'",
        "\"export:\n  format: pdf\"            | 2 | export s          | --format is 'pdf'",
        "\"import:\n  from: myspace\"          | 2 | import x          | myspace",
        "\"backup:\n  keep: 0\"                | 2 | backup --to x/    | --keep is 0",
        "\"backup:\n  since: no.backup\"       | 2 | backup --to x     | no.backup",
        "\"restore:\n  from: no.backup\"       | 2 | restore           | no.backup",
        "\"migrate:\n  from: sqlite:no.db\"    | 2 | migrate --to memory: | no.db",
        "\"migrate:\n  since: soon\"           | 2 | migrate --from a --to b | --since is 'soon'",
        "\"retention:\n  set:\n    idle: soon\"  | 3 | retention set p   | --idle is 'soon'",
        "\"retention:\n  set:\n    count: -1\"   | 3 | retention set p   | --count is -1",
        "\"token:\n  create:\n    expires: 2020-01-01\" | 3 | token create | in the past",
        "\"schema:\n  schema: 'a b;'\"         | 2 | schema postgres   | a b;",
      })
  void aValueThatTheCommandRefusesIsReportedWithItsLine(
      String text, int line, String command, String problem) throws IOException {
    shell.onRealStores();
    Result result = withFile(text, command.split(" ", -1));
    assertThat(result.code()).isIn(ExitCode.USAGE, ExitCode.NOT_FOUND);
    assertThat(result.err()).contains("clew.yaml, line " + line + ": ", problem);
  }

  @ParameterizedTest
  @CsvSource({
    "CLEW_STORE, bogus:x, sessions list, no store for 'bogus:x'",
    "CLEW_STORE, sqlite:no.db, sessions list, no.db",
    "CLEW_KEY, bogus, sessions list, --key: ",
    "CLEW_MODEL, nobody, chat, no model 'nobody'",
    "CLEW_PORT, http, serve, --port is 'http'",
    "CLEW_AT_LIMIT, explode, serve --store memory:, --at-limit is 'explode'",
    "CLEW_KEY, file:/no/keys, sessions list, /no/keys",
  })
  void aVariableThatTheCommandRefusesIsReportedByItsName(
      String variable, String value, String command, String problem) {
    shell.onRealStores().env.put(variable, value);
    Result result = shell.run(command.split(" ", -1));
    assertThat(result.code()).isIn(ExitCode.USAGE, ExitCode.NOT_FOUND);
    assertThat(result.err()).contains("clew: " + variable + ": ", problem);
  }

  @Test
  void aValueThatIsFineIsNotBlamedForAnotherThatHasTheSameName() throws IOException {
    shell.run("add", "trip", "hello");
    Result missing = withFile("owner: trip\n", "sessions", "show", "trip");
    assertThat(missing.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(missing.err()).startsWith("clew: no session 'trip'");
    String same = "sessions:\n  list:\n    limit: 0\n";
    assertThat(withFile(same, "sessions", "list", "--limit", "0").err()).doesNotContain("line");
  }

  @Test
  void aValueOfTheCommandLineIsReportedWithoutAPlace() throws IOException {
    String file = "store: sqlite:x.db\nsessions:\n  list:\n    limit: 5\n";
    assertThat(withFile(file, "sessions", "list", "--limit", "0").err()).doesNotContain("line");
    shell.onRealStores().env.put("CLEW_STORE", "memory:");
    assertThat(shell.run("sessions", "list", "--store", "bogus:x").err())
        .startsWith("clew: no store for 'bogus:x'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"store: x\nprot: 5\"                   | 2 | there is no option 'prot'",
        "\"serve:\n  port: 1\n  prot: 5\"        | 3 | clew serve has no option 'prot'",
        "\"serve:\n  store: x\"                  | 2 | left edge",
        "\"serve:\n  strict: perhaps\"           | 2 | write true or false",
        "\"serve:\n  port: [1, 2]\"              | 2 | takes one value",
        "\"store: a\nstore: b\"                  | 2 | twice",
        "\"serve:\n  port: {a: b}\"              | 2 | expected a string, a number",
        "\"serve: [1]\"                          | 1 | names and values",
        "\"store: a\n  port: b: c\"              | 2 | mapping values are not allowed",
        "\"help: true\"                          | 1 | no option 'help'",
        "\"a: &x [*x]\"                          | 1 | no option 'a'",
      })
  void aWrongFileIsToldWithItsLine_andNothingIsOpened(String text, int line, String problem)
      throws IOException {
    Result result = withFile(text, "sessions", "list");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("clew.yaml, line " + line + ":", problem).hasLineCount(1);
    assertThat(shell.opened).isEmpty();
  }

  /** It has a source and a target instead, and must not refuse what everybody may have set. */
  @Test
  void migrateIgnoresAStoreThatIsNotTyped() throws IOException {
    String[] migrate = {"migrate", "--from", "sqlite:a.db", "--to", "sqlite:b.db", "--dry-run"};
    Result byFile = withFile("store: sqlite:x.db\nkey: file:k\n", migrate);
    assertThat(byFile.code()).as(byFile.err()).isZero();
    shell.env.remove("CLEW_CONFIG");
    shell.env.putAll(Map.of("CLEW_STORE", "sqlite:x.db", "CLEW_KEY", "file:k"));
    Result byEnvironment = shell.run(migrate);
    assertThat(byEnvironment.code()).as(byEnvironment.err()).isZero();
  }

  @Test
  void theExampleOfTheDocumentIsUnderstood() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "configuration.md"));
    String example = document.substring(document.indexOf("```yaml\n") + 8);
    example = example.substring(0, example.indexOf("```"));
    assertThat(example).contains("serve:");
    Result result = withFile(example, "schema", "postgres");
    assertThat(result.code()).as(result.err()).isZero();
  }
}
