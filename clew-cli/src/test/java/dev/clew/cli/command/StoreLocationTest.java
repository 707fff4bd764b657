package dev.clew.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.cli.terminal.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreLocationTest {
  @TempDir Path folder;

  @Test
  void theDefaultIsAFileInTheDataFolderWhichOnlyTheUserCanEnter() throws IOException {
    Path data = folder.resolve("data");
    Map<String, String> env = Map.of("XDG_DATA_HOME", data.toString());
    assertThat(StoreLocation.usual(env)).isEqualTo("sqlite:" + data.resolve("clew/clew.db"));
    assertThat(data).doesNotExist();
    StoreLocation.makeUsualFolder(env);
    assertThat(Files.getPosixFilePermissions(data.resolve("clew")))
        .containsOnly(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE);
  }

  @Test
  void aFolderWithSpecialCharactersIsEscaped() {
    Path odd = folder.resolve("100%?");
    assertThat(StoreLocation.usual(Map.of("XDG_DATA_HOME", odd.toString())))
        .isEqualTo("sqlite:" + folder + "/100%25%3F/clew/clew.db");
  }

  @Test
  void withoutADataFolderItIsBelowHome() {
    Map<String, String> env = Map.of("HOME", folder.toString(), "XDG_DATA_HOME", "relative");
    assertThat(StoreLocation.usual(env))
        .isEqualTo("sqlite:" + folder.resolve(".local/share/clew/clew.db"));
  }

  @Test
  void aFolderThatCannotBeMadeIsNamedWithARemedy() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(
            () -> StoreLocation.makeUsualFolder(Map.of("XDG_DATA_HOME", file.toString())))
        .isInstanceOf(Failure.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("--store");
  }
}
