package dev.clew.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.kit.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read make nothing and change nothing, and commands that make something say so. */
class LookingTest {
  private final Shell shell = new Shell().onRealStores();
  @TempDir Path folder;

  private String url() {
    return "sqlite:" + folder.resolve("typo/x.db");
  }

  private Map<String, String> everything() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        found.put(file.toString(), HexFormat.of().formatHex(Sha256.of(Files.readAllBytes(file))));
      }
    }
    return found;
  }

  private static void run(Path file, String... statements) throws SQLException {
    try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = raw.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sessions list",
        "sessions show s",
        "search x",
        "stats",
        "export s",
        "export --all --to out/",
        "doctor",
        "retention show",
        "retention run --dry-run",
        "token list",
        "backup --to b.backup",
        "sessions rename s t",
        "sessions fork s t",
        "sessions delete s --yes",
        "sessions decompress s",
        "pop s --yes",
        "undo s --yes",
        "retention remove p",
        "retention run --yes",
        "retention hold s --reason x",
        "retention release s",
        "erase --owner ann --yes",
        "token revoke t"
      })
  void aStoreThatIsNotThereIsNotMade(String command) throws IOException {
    for (String store : List.of(url(), "jsonl:" + folder.resolve("typo"))) {
      shell.env.put("CLEW_STORE", store);
      Result result = shell.run(command.split(" ", -1));
      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(result.err()).contains("typo", "clew init").hasLineCount(1);
    }
    assertThat(everything()).isEmpty();
    assertThat(folder.resolve("typo")).doesNotExist();
  }

  @Test
  void theUsualStoreIsNotMadeByLookingAtItEither() throws IOException {
    shell.env.put("XDG_DATA_HOME", folder.resolve("data").toString());
    Result result = shell.run("sessions", "list");
    assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(result.err()).contains("no store yet", "clew init", "clew.db").hasLineCount(1);
    assertThat(folder.resolve("data")).doesNotExist();
    assertThat(shell.run("sessions", "list", "--json").error()).containsEntry("code", "not_found");
  }

  @Test
  void theFirstWriteSaysWhatItMadeAndLaterOnesSayNothing() throws IOException {
    Path file = folder.resolve("new.db");
    shell.env.put("CLEW_STORE", "sqlite:" + file);
    assertThat(shell.run("add", "s", "one").err()).isEqualTo("created the file " + file + "\n");
    assertThat(shell.run("add", "s", "two").err()).isEmpty();
    shell.env.put("CLEW_STORE", "jsonl:" + folder.resolve("sessions"));
    assertThat(shell.run("add", "s", "one", "--json").err()).isEmpty();
    assertThat(folder.resolve("sessions")).isDirectory();
  }

  @Test
  void initMakesAStoreAndSaysSo() {
    Path file = folder.resolve("new.db");
    Result made = shell.run("init", "--store", "sqlite:" + file);
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out()).isEqualTo("created the file " + file + "\n");
    assertThat(shell.run("init", "--store", "sqlite:" + file).out()).contains("exists already");
    assertThat(shell.run("init", "--store", "sqlite:" + file, "--json").json())
        .containsEntry("made", List.of());
    assertThat(shell.run("sessions", "list", "--store", "sqlite:" + file).code()).isZero();
  }

  @Test
  void aDatabaseOfAnotherProgramIsLeftAloneUntilSomebodyWrites() throws Exception {
    Path file = folder.resolve("shop.db");
    run(file, "CREATE TABLE customers (name TEXT)");
    shell.env.put("CLEW_STORE", "sqlite:" + file);
    Map<String, String> before = everything();
    for (String command : List.of("sessions list", "doctor", "undo s --yes", "stats")) {
      Result result = shell.run(command.split(" ", -1));
      assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(result.err()).contains("has not been set up in it", "clew init");
    }
    assertThat(everything()).isEqualTo(before);
    assertThat(shell.run("add", "s", "one").err())
        .isEqualTo("created the tables of Clew in " + file + "; the file is now in WAL mode\n");
  }

  @Test
  void everyCommandThatReadsCanReadAFileOfTheAgentsSdkAndLeavesItAsItIs() throws Exception {
    Path file = folder.resolve("sdk.db");
    run(
        file,
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE agent_sessions (session_id TEXT PRIMARY KEY,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
            + " updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
        "CREATE TABLE agent_messages (id INTEGER PRIMARY KEY AUTOINCREMENT,"
            + " session_id TEXT NOT NULL, message_data TEXT NOT NULL,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
        "INSERT INTO agent_sessions (session_id) VALUES ('trip')",
        "INSERT INTO agent_messages (session_id, message_data) VALUES"
            + " ('trip', '{\"role\":\"user\",\"content\":\"Where is the bridge?\"}'),"
            + " ('trip', '{\"role\":\"assistant\",\"content\":\"In San Francisco.\"}')");
    shell.env.put("CLEW_STORE", "sqlite:" + file);
    Map<String, String> before = everything();
    Map<String, String> commands = new TreeMap<>();
    commands.put("sessions list", "trip");
    commands.put("sessions show trip", "San Francisco");
    commands.put("sessions show trip --compacted", "San Francisco");
    commands.put("search bridge", "[bridge]");
    commands.put("search bridge -C 1 --role user", "San Francisco");
    commands.put("stats", "1 session");
    commands.put("export trip", "San Francisco");
    commands.put("doctor", "everything is in order");
    commands.put("retention show", "");
    commands.put("retention run --dry-run", "would remove 0");
    commands.put("token list", "");
    commands.forEach(
        (command, expected) -> {
          Result result = shell.run(command.split(" ", -1));
          assertThat(result.code()).as(command + ": " + result.err()).isZero();
          assertThat(result.out()).as(command).contains(expected);
        });
    assertThat(everything()).isEqualTo(before);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    Path backup = folder.resolve("b.backup");
    assertThat(shell.run("backup", "--to", backup.toString()).out()).contains("1 session");
    Files.delete(backup);
    assertThat(everything()).isEqualTo(before);

    Result undone = shell.run("undo", "trip", "--yes");
    assertThat(undone.err()).contains("created the tables of Clew in " + file);
    assertThat(undone.code()).isZero();
  }

  @Test
  void aDryRunMakesNoStore() throws IOException {
    Path file = folder.resolve("a.db");
    shell.run("add", "s", "one", "--store", "sqlite:" + file);
    Result result = shell.run("migrate", "--from", "sqlite:" + file, "--to", url(), "--dry-run");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("would");
    String backup = folder.resolve("b.backup").toString();
    shell.run("backup", "--to", backup, "--store", "sqlite:" + file);
    Result restore = shell.run("restore", "--from", backup, "--store", url(), "--dry-run");
    assertThat(restore.code()).as(restore.err()).isZero();
    assertThat(folder.resolve("typo")).doesNotExist();
    Result nowhere = shell.run("migrate", "--from", url(), "--to", "sqlite:" + file);
    assertThat(nowhere.code()).isEqualTo(ExitCode.NOT_FOUND);
  }
}
