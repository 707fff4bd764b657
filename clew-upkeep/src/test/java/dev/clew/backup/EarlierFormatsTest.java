package dev.clew.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that an earlier version of Clew wrote, as it wrote them. */
class EarlierFormatsTest {
  private static final SessionKey TRIP = SessionKey.of("trip");

  @TempDir Path folder;

  @BeforeEach
  void copy() throws IOException {
    for (String name : List.of("format-1.backup", "format-1-increment.backup")) {
      try (InputStream in = getClass().getResourceAsStream(name)) {
        Files.copy(Objects.requireNonNull(in), folder.resolve(name));
      }
    }
  }

  @Test
  void aChainOfFormat1_isReadAndContinued() {
    Path increment = folder.resolve("format-1-increment.backup");
    try (SessionStore store = MemoryStore.builder().build();
        BackupStore before = BackupStore.open(increment)) {
      before.verify(bytes -> {});
      assertThat(Migration.of(before, store).run(MigrationListener.NONE).isComplete()).isTrue();
      assertThat(store.session("trip").getItems())
          .containsExactly(Item.user("Hello"), Item.assistant("Hi!"), Item.user("And?"));
      Entry first = store.session(TRIP).entries(Range.first(1)).entries().get(0);
      assertThat(first.addedAt()).isEqualTo(Instant.parse("2026-01-31T10:00:00Z"));

      store.session("trip").addItems(List.of(Item.user("more")));
      Path next = folder.resolve("next.backup");
      Backup.of(store).since(increment).writeTo(next, MigrationListener.NONE);
      try (BackupStore after = BackupStore.open(next)) {
        after.verify(bytes -> {});
        assertThat(after.files()).hasSize(3);
        assertThat(after.session(TRIP).entries(Range.first(9)))
            .isEqualTo(store.session(TRIP).entries(Range.first(9)));
      }
    }
  }
}
