package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A changed byte is found, costs at most its own line, and never shows as content. */
class BitRotTest {
  private static final SessionKey KEY = SessionKey.of("s");

  @TempDir Path folder;

  @Test
  void anyFlippedByte_costsAtMostOneItem() throws IOException {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = open(folder)) {
      for (int i = 0; i < 5; i++) {
        store.session(KEY).addItems(Samples.items("turn " + i, 1 + i % 4));
      }
      List<Item> items = store.session(KEY).getItems();
      byte[] sound = Files.readAllBytes(file);
      for (int at = 0; at < sound.length; at++) {
        costsAtMostOneItem(items, file, changed(sound, at, sound[at] ^ 1 << at % 8), store);
        costsAtMostOneItem(items, file, changed(sound, at, 0), store);
      }
    }
  }

  private static void costsAtMostOneItem(
      List<Item> items, Path file, byte[] spoilt, JsonlStore store) throws IOException {
    Samples.overwrite(file, spoilt);
    store.unload(KEY);
    String text = new String(spoilt, StandardCharsets.ISO_8859_1);
    List<Item> found = store.session(KEY).getItems();
    assertThat(items).as(text).containsSubsequence(found);
    assertThat(found.size()).as(text).isGreaterThanOrEqualTo(items.size() - 1);
    if (found.size() < items.size()) {
      assertThat(Samples.findings(store)).as(text).contains(Finding.Kind.DAMAGED);
    }
  }

  @Test
  void anyFlippedByteOfAnyKindOfLine_isFoundAndMakesNothingUp() throws IOException {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = open(folder)) {
      Set<Item> written = new HashSet<>();
      Samples.everyKindOfChange(store.session(KEY), file, 28).values().forEach(written::addAll);
      List<Item> items = store.session(KEY).getItems();
      byte[] sound = Files.readAllBytes(file);
      int last = sound.length;
      for (int at = 0; at < sound.length; at++) {
        flip(file, sound, at, store);
        List<Item> found = store.session(KEY).getItems();
        assertThat(written).as("flipped at %d of %d", at, last).containsAll(found);
        if (!found.equals(items)) {
          assertThat(Samples.findings(store))
              .as("flipped at %d", at)
              .contains(Finding.Kind.DAMAGED);
        }
      }
    }
  }

  @Test
  void aFileWithADamagedLine_isAppendedToAndPoppedFrom() throws IOException {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = open(folder)) {
      store.session(KEY).addItems(Samples.items("turn", 6));
      byte[] sound = Files.readAllBytes(file);
      List<Item> items = store.session(KEY).getItems();
      for (int at = 0; at < sound.length; at += 5) {
        Files.deleteIfExists(folder.resolve("s.quarantine"));
        flip(file, sound, at, store);
        List<Item> expected = new ArrayList<>(store.session(KEY).getItems());
        store.session(KEY).addItems(List.of(Item.user("after")));
        store.unload(KEY);
        expected.add(Item.user("after"));
        assertThat(store.session(KEY).getItems()).as("flipped at %d", at).isEqualTo(expected);
        assertThat(store.session(KEY).popItem()).contains(Item.user("after"));
        store.unload(KEY);
        expected.remove(expected.size() - 1);
        while (!expected.isEmpty()) {
          assertThat(store.session(KEY).popItem())
              .as("flipped at %d", at)
              .contains(expected.remove(expected.size() - 1));
        }
        assertThat(store.session(KEY).popItem()).isEmpty();
        assertThat(items).hasSize(6);
      }
    }
  }

  @Test
  void theDamagedLine_isInTheQuarantineAsItWas() throws IOException {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = open(folder)) {
      store.session(KEY).addItems(Samples.items("turn", 3));
      String text = Files.readString(file);
      Files.writeString(file, text.replace("turn 2", "tuRn 2"));
      store.unload(KEY);
      assertThat(store.session(KEY).popItem()).contains(Item.user("turn 1"));

      String quarantine = Files.readString(folder.resolve("s.quarantine"));
      int start = quarantine.indexOf("\"line\":\"") + "\"line\":\"".length();
      String line = quarantine.substring(start, quarantine.indexOf('"', start));
      assertThat(new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8))
          .contains("tuRn 2");
      assertThat(Samples.findings(store)).containsExactly(Finding.Kind.QUARANTINED);
      assertThat(store.session(KEY).delete()).isTrue();
      assertThat(folder.resolve("s.quarantine")).doesNotExist();
    }
  }

  @Test
  void aPage_namesItsDamagedPositions_andRemovingOnePutsItAside() throws IOException {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = open(folder)) {
      StoredSession session = store.session(KEY);
      session.addItems(Samples.items("turn", 5));
      Files.writeString(file, Files.readString(file).replace("turn 2", "tuRn 2"));
      store.unload(KEY);
      assertThat(session.entries(Range.first(9)).damaged()).containsExactly(3L);
      assertThat(session.entries(Range.latest(3)).damaged()).containsExactly(3L);
      assertThat(session.entries(Range.latest(2)).damaged()).isEmpty();
      assertThat(session.entries(Range.first(2)).damaged()).isEmpty();
      assertThat(session.entries(Range.after(3, 9)).damaged()).isEmpty();

      session.commit(Commit.removeItem(3));
      assertThat(session.entries(Range.first(9)).damaged()).isEmpty();
      assertThat(Samples.findings(store)).containsExactly(Finding.Kind.QUARANTINED);
    }
  }

  @Test
  void aDamagedLineThatIsNoEntry_isNamedByEveryPage() throws IOException {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = open(folder)) {
      StoredSession session = store.session(KEY);
      session.addItems(Samples.items("turn", 3));
      session.popItem();
      session.addItems(Samples.items("next", 1));
      Files.writeString(file, Files.readString(file).replace("\"remove\"", "\"remoVe\""));
      store.unload(KEY);
      assertThat(session.entries(Range.first(1)).damaged()).isNotEmpty();
      assertThat(session.entries(Range.latest(1)).damaged()).isNotEmpty();
    }
  }

  private static void flip(Path file, byte[] sound, int at, JsonlStore store) throws IOException {
    Samples.overwrite(file, changed(sound, at, sound[at] ^ 1 << at % 8));
    store.unload(KEY);
  }

  private static byte[] changed(byte[] sound, int at, int value) {
    byte[] bytes = sound.clone();
    bytes[at] = (byte) value;
    return bytes;
  }

  private static JsonlStore open(Path folder) {
    return JsonlStore.builder(folder).disk(FaultyDisk.withoutSyncs()).open();
  }
}
