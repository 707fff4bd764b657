package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user sees who may not read a store. */
class PermissionsTest {
  @TempDir Path folder;
  private Path file;
  private Path locked;

  @BeforeEach
  void lock() throws IOException {
    file = folder.resolve("a.db");
    assertThat(new Shell().onRealStores().run("add", "s", "x", "--store", "sqlite:" + file).code())
        .isZero();
    locked = Files.createDirectory(folder.resolve("locked"));
    allow("---------");
  }

  @AfterEach
  void unlock() throws IOException {
    allow("rwx------");
  }

  private void allow(String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString(mode));
  }

  private String refusal(String... args) throws Exception {
    try (ClewProcess clew = ClewProcess.startByUser(folder, Map.of(), args)) {
      int code = clew.end();
      assertThat(code).as(clew.err()).isEqualTo(ExitCode.FAILED);
      assertThat(clew.err()).hasLineCount(1);
      return clew.err();
    }
  }

  @Test
  void aFileThatTheUserMayNotRead() throws Exception {
    assertThat(refusal("sessions", "list", "--store", "sqlite:" + file))
        .contains(file.toString(), "permission denied: this user may not read the file");
  }

  @ParameterizedTest
  @CsvSource({
    "sqlite:, sessions list",
    "sqlite:, add s x",
    "jsonl:, sessions list",
    "jsonl:, add s x"
  })
  void aFolderThatTheUserMayNotEnter(String scheme, String command) throws Exception {
    Path store = locked.resolve("x");
    assertThat(refusal((command + " --store " + scheme + store).split(" ", -1)))
        .contains(store.toString(), "permission denied")
        .doesNotContain("no folder", "no such");
  }
}
