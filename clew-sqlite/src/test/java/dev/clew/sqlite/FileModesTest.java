package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who can read the files of a store. */
class FileModesTest {
  @TempDir Path folder;

  private String mode(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
  }

  @Test
  void aFileThatIsMade_isForItsUserAlone_withItsLog() throws IOException {
    try (SqliteStore store = SqliteStore.open(folder.resolve("a.db"))) {
      store.session("s").addItems(List.of(Item.user("hello")));
      for (String end : List.of("", "-wal", "-shm")) {
        assertThat(mode("a.db" + end)).as("a.db" + end).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void aFileThatWasThere_keepsItsMode() throws IOException {
    Path file = Files.createFile(folder.resolve("b.db"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    try (SqliteStore store = SqliteStore.open(file)) {
      store.session("s").addItems(List.of(Item.user("hello")));
      assertThat(mode("b.db")).isEqualTo("rw-r-----");
      assertThat(mode("b.db-wal")).isEqualTo("rw-r-----");
    }
  }
}
