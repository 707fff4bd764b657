package dev.clew.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.jsonl.JsonlStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an encrypted store makes of JSONL files that somebody has changed. */
class JsonlTamperingTest {
  @TempDir Path folder;

  @Test
  void everyFlippedByteOfAFile_isRefusedOrHarmless() throws IOException {
    List<Item> items = List.of(Item.user("first"), Item.user("second"), Item.user("last"));
    try (JsonlStore plain = JsonlStore.builder(folder).open();
        SessionStore store = EncryptedStore.over(plain, TestKeys.MASTER)) {
      StoredSession session = store.session("one");
      session.addItems(items);
      Path file = folder.resolve("one.jsonl");
      byte[] bytes = Files.readAllBytes(file);
      List<String> missed = new ArrayList<>();
      for (int i = 0; i < bytes.length; i++) {
        byte[] changed = bytes.clone();
        changed[i] ^= 1;
        Files.write(file, changed);
        plain.unload(session.key());
        try {
          if (!session.getItems().equals(items)
              || !session.getItems(1).equals(items.subList(2, 3))) {
            missed.add(i + " '" + (char) bytes[i] + "' " + session.getItems().size());
          }
        } catch (ClewException e) {
          assertThat(e).hasMessageNotContainingAny("first", "second", "last");
        }
        assertThat(Files.readAllBytes(file)).as("nothing was removed").isEqualTo(changed);
      }
      assertThat(missed).isEmpty();
    }
  }
}
