package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.tck.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that is removed while it is open, and who can read one that was made. */
class RemovedFolderTest {
  @TempDir Path folder;

  private static void say(JsonlStore store, String text) {
    store.session(new SessionKey("ann", "s")).addItems(List.of(Item.user(text)));
  }

  @Test
  void aFolderThatWasRemoved_takesNoMoreWrites_andIsNotReady() throws IOException {
    Path root = folder.resolve("sessions");
    try (JsonlStore store = JsonlStore.open(root)) {
      say(store, "kept");
      Files.move(root, folder.resolve("elsewhere"));
      Await.until(
          () -> "writes are refused",
          () -> {
            try {
              say(store, "into nothing");
              return false;
            } catch (StoreUnavailable e) {
              return String.valueOf(e.getMessage()).contains("was removed or replaced");
            }
          });
      assertThatThrownBy(store::ping)
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining(root.toString());
    }
    try (JsonlStore store = JsonlStore.open(folder.resolve("elsewhere"))) {
      assertThat(store.session(new SessionKey("ann", "s")).getItems()).isNotEmpty();
    }
  }

  @Test
  void whatIsMade_isForItsUserAlone() throws IOException {
    Path root = folder.resolve("private");
    try (JsonlStore store = JsonlStore.open(root)) {
      say(store, "hello");
      store.documents().put("ann", "name", "{}");
      modes(root)
          .forEach(
              (path, mode) ->
                  assertThat(mode)
                      .as(path.toString())
                      .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
  }

  @Test
  void aFileThatIsWrittenAnew_keepsItsMode() throws IOException {
    Path old = Files.createFile(folder.resolve("old"));
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r-----"));
    RealDisk disk = new RealDisk(false);
    disk.open(folder.resolve("new"), true).close();
    disk.rename(folder.resolve("new"), old);
    assertThat(modes(folder)).containsEntry(old, "rw-r-----");
  }

  private static Map<Path, String> modes(Path root) throws IOException {
    Map<Path, String> modes = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.toList()) {
        modes.put(path, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      }
    }
    return modes;
  }
}
