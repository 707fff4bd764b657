package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.spi.Compression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file is removed or replaced while it is open. */
@Tag("hostile")
class RemovedFileTest {
  @TempDir Path folder;

  private static void say(SqliteStore store, String text) {
    store.session("s").addItems(List.of(Item.user(text)));
  }

  private static boolean refuses(SqliteStore store) {
    try {
      say(store, "into nothing");
      return false;
    } catch (StoreUnavailable e) {
      assertThat(e).hasMessageContaining("was removed or replaced");
      return true;
    }
  }

  @Test
  void aFileThatWasRemoved_takesNoMoreWrites_andIsNotReady() throws IOException {
    Path file = folder.resolve("a.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      say(store, "kept");
      store.ping();
      for (String end : List.of("", "-wal", "-shm")) {
        Files.deleteIfExists(folder.resolve("a.db" + end));
      }
      Wait.until("writes are refused", () -> refuses(store));
      assertThatThrownBy(store::ping)
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContainingAll(file.toString(), "start again");
      assertThatThrownBy(() -> Compression.of(store).shrink()).isInstanceOf(StoreUnavailable.class);
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileWhoseLogWasRemoved_takesNoMoreWrites_andIsNotReady() throws IOException {
    Path file = folder.resolve("c.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      say(store, "kept");
      store.ping();
      Files.delete(folder.resolve("c.db-wal"));
      Files.delete(folder.resolve("c.db-shm"));
      assertThatThrownBy(store::ping).isInstanceOf(StoreUnavailable.class);
      assertThat(refuses(store)).isTrue();
    }
  }

  /** What is in the log is not in the file yet, which may lack even the tables. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileThatWasPutBack_saysWhereItsLogIs_andHasEverythingWithIt(boolean create)
      throws IOException {
    Path file = folder.resolve("e.db");
    Path away = folder.resolve("away.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      say(store, "kept");
      Files.move(file, away);
      assertThatThrownBy(store::ping).isInstanceOf(StoreUnavailable.class);
    }
    Files.move(away, file);
    String url = "sqlite:" + file;
    Opening opening = create ? Opening.CREATE : Opening.WRITE;
    Path log;
    try (var files = Files.list(folder)) {
      log = files.filter(path -> path.toString().contains("e.db-wal.old-")).findAny().orElseThrow();
    }
    assertThatThrownBy(() -> Stores.open(url, opening))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContainingAll(log.getFileName().toString(), "rename it to e.db-wal")
        .hasMessageNotContaining("init");

    Files.move(log, folder.resolve("e.db-wal"));
    try (SessionStore store = Stores.open(url, opening)) {
      assertThat(store.session("s").getItems()).containsExactly(Item.user("kept"));
    }
  }

  /** Closing the only connection would remove the log, and look like somebody else's doing. */
  @Test
  void aWrongCursor_asTheFirstThingThatIsAsked_doesNoHarm() {
    try (SqliteStore store = SqliteStore.open(folder.resolve("d.db"))) {
      assertThatThrownBy(() -> store.list(SessionQuery.of("ann").cursor("AAAA")))
          .isInstanceOf(IllegalArgumentException.class);
      store.ping();
      say(store, "kept");
    }
  }

  @Test
  void theLogOfAFileThatWasReplaced_isNotAppliedToTheNewOne() throws IOException {
    Path file = folder.resolve("b.db");
    Path other = folder.resolve("other.db");
    try (SqliteStore store = SqliteStore.open(other)) {
      for (int i = 0; i < 50; i++) {
        say(store, "of the other file " + i);
      }
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      say(store, "of the first file");
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(store::ping).isInstanceOf(StoreUnavailable.class);
      assertThat(refuses(store)).as("also at once, after it was seen").isTrue();
      try (SqliteStore next = SqliteStore.open(file)) {
        assertThat(next.session("s").getItems()).hasSize(50);
        say(next, "and on");
      }
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      assertThat(store.session("s").getItems()).hasSize(51);
    }
    try (var files = Files.list(folder)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .as("what the old log holds is not lost")
          .anyMatch(name -> name.startsWith("b.db-wal.old-"));
    }
  }
}
