package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of files that cannot be used: which, and why. */
class FileTroubleTest {
  private final Shell shell = new Shell().onRealStores();
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void fill() throws IOException {
    file = Files.writeString(folder.resolve("file"), "x");
    shell.env.put("CLEW_STORE", "sqlite:" + folder.resolve("a.db"));
    shell.run("add", "s", "one");
  }

  private void assertSays(String reason, Path about, String... args) {
    Result result = shell.run(args);
    assertThat(result.code()).as(result.err()).isNotZero();
    assertThat(result.err())
        .contains(reason, about.toString())
        .doesNotContain("Exception", ".part")
        .hasLineCount(1);
  }

  @Test
  void aFileWhereAFolderIsMeant() {
    assertSays("it is not a folder", file, "sessions", "list", "--store", "jsonl:" + file);
    assertSays("it is not a folder", file, "add", "s", "x", "--store", "jsonl:" + file);
    Path below = file.resolve("x.json");
    assertSays("not a folder", below, "export", "s", "-o", below.toString());
    assertSays("a file is in the way", below, "backup", "--to", below.toString());
  }

  @Test
  void aFolderWhereAFileIsMeant() {
    assertSays("is a folder", folder, "sessions", "list", "--store", "sqlite:" + folder);
  }

  @Test
  void aFolderThatIsNotThere() {
    Path nowhere = folder.resolve("nowhere/x");
    assertSays("no such folder", nowhere, "export", "s", "-o", nowhere.toString());
  }

  @Test
  void whateverIsNotThereHasOneExitCode() {
    String none = folder.resolve("none").toString();
    for (String[] args :
        List.of(
            new String[] {"sessions", "list", "--store", "sqlite:" + none},
            new String[] {"sessions", "list", "--config", none},
            new String[] {"sessions", "list", "--key", "file:" + none},
            new String[] {"key", "list", "--key", "file:" + none},
            new String[] {"import", none},
            new String[] {"import", none, "--from", "chatgpt"},
            new String[] {"add", "s", "--items", none},
            new String[] {"restore", "--from", none},
            new String[] {"backup", "--verify", none},
            new String[] {"sessions", "show", "none", "--store", "memory:"})) {
      Result result = new Shell().onRealStores().run(args);
      assertThat(result.code())
          .as(String.join(" ", args) + ": " + result.err())
          .isEqualTo(ExitCode.NOT_FOUND);
    }
  }

  @Test
  void aFileThatIsNotThere() {
    Path nothing = folder.resolve("nothing.yaml");
    assertSays("no such file", nothing, "sessions", "list", "--config", nothing.toString());
  }

  @Test
  void aDamagedDatabase_isNotExaminedByTheDoctorWhoSaysToAskTheDoctor() throws IOException {
    byte[] whole = Files.readAllBytes(folder.resolve("a.db"));
    Path half = folder.resolve("half.db");
    Files.write(half, java.util.Arrays.copyOf(whole, whole.length / 2));
    Result doctor = shell.run("doctor", "--store", "sqlite:" + half);
    assertThat(doctor.code()).isEqualTo(ExitCode.FAILED);
    assertThat(doctor.err() + doctor.out()).contains("backup").doesNotContain("clew doctor");
  }
}
