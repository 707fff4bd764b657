package dev.clew.cli.store;

import static dev.clew.cli.Shell.object;
import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on real files, each command opening and closing the file as a process would. */
class SqliteFileTest {
  private final Shell shell = new Shell().onRealStores();
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void chooseAFile() {
    file = folder.resolve("new/clew.db");
    shell.env.put("CLEW_STORE", "sqlite:" + file);
  }

  private Result ok(String... args) {
    Result result = shell.run(args);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  @Test
  void everyCommandWorksOnAFile() {
    ok("add", "trip", "去京都");
    ok("add", "trip", "--role", "assistant", "好的");
    ok("add", "trip", "second turn");
    ok("sessions", "rename", "trip", "Trip");
    assertThat(ok("sessions", "list").out()).contains("trip", "Trip");
    assertThat(ok("search", "京都").out()).contains("[京都]");
    ok("sessions", "fork", "trip", "copy");
    assertThat(ok("undo", "trip", "--yes").out()).contains("second turn");
    assertThat(ok("pop", "trip", "--yes").out()).contains("好的");
    assertThat(ok("sessions", "show", "copy", "--json").json()).containsEntry("has_more", false);
    assertThat(ok("doctor").out()).contains("everything is in order");
    ok("sessions", "delete", "trip", "copy", "--yes");
    assertThat(objects(ok("sessions", "list", "--json").json(), "sessions")).isEmpty();
  }

  @Test
  void everyCommandKeepsOwnersApart() {
    ok("--owner", "ada", "add", "s", "of ada");
    ok("add", "s", "of nobody");
    Result hers = ok("--owner", "ada", "sessions", "show", "s", "--json");
    assertThat(object(hers.json(), "session"))
        .containsEntry("owner", "ada")
        .containsEntry("items", 1L);
    assertThat(ok("search", "of").out()).contains("nobody").doesNotContain("ada");
  }

  @Test
  void theDemoWorksOnAFile() {
    assertThat(ok("demo").out()).contains("as before", "[寺庙]");
  }

  @Test
  void whatTheDemoSuggestsNextWorksOnTheFileItKept() throws IOException {
    List<String[]> suggestions =
        ok("demo", "--keep")
            .out()
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("clew --store "))
            .map(line -> line.substring("clew ".length()).split(" ", -1))
            .toList();
    assertThat(suggestions).isNotEmpty();
    for (String[] suggestion : suggestions) {
      assertThat(ok(suggestion).out()).contains("Bridge");
    }
    Path kept = Path.of(suggestions.get(0)[1].substring("sqlite:".length())).getParent();
    try (Stream<Path> files = Files.list(kept)) {
      for (Path left : files.toList()) {
        Files.delete(left);
      }
    }
    Files.delete(kept);
  }

  @Test
  void theDefaultFileIsMadeInTheDataFolder() {
    shell.env.remove("CLEW_STORE");
    shell.env.put("XDG_DATA_HOME", folder.resolve("100% mine?").toString());
    ok("add", "s", "hello");
    assertThat(folder.resolve("100% mine?/clew/clew.db")).isRegularFile();
  }

  @Test
  void doctorFindsADamagedRecordAndTheRestIsStillShown() throws SQLException {
    ok("add", "s", "first");
    ok("add", "s", "second");
    try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement damage = raw.createStatement()) {
      damage.execute(
          "UPDATE agent_messages SET message_data = '{\"canary' WHERE message_data LIKE '%first%'");
    }
    assertThat(ok("sessions", "show", "s").out()).contains("second").doesNotContain("canary");
    Result doctor = shell.run("doctor");
    assertThat(doctor.code()).isEqualTo(ExitCode.FAILED);
    assertThat(doctor.out()).contains("damaged session 's'").doesNotContain("canary", "second");
  }

  @Test
  void aPathThatIsNoDatabaseIsNamed() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "not a database ".repeat(100));
    for (Path path : new Path[] {folder, text}) {
      Result result = shell.run("sessions", "list", "--store", "sqlite:" + path);
      assertThat(result.code()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err()).contains(path.toString()).hasLineCount(1);
    }
    assertThat(shell.run("sessions", "list", "--store", "sqlite:x?nope=1").code())
        .isEqualTo(ExitCode.USAGE);
  }
}
