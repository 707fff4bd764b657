package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.json.Json;
import dev.clew.spi.Compression;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was cleared or dropped is gone from the folder when the call returns. */
class ClearedFilesTest {
  private static final String KEY = "feishu:oc_xxx";
  private static final String CANARY = "canary";

  @TempDir Path folder;

  private JsonlStore open() {
    return JsonlStore.builder(folder).diskBlock(0).open();
  }

  /** The contents of the messages of a file as another program reads them, line by line. */
  private List<String> messages() throws IOException {
    List<String> contents = new ArrayList<>();
    Path file = folder.resolve("feishu%3Aoc_xxx.jsonl");
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      Map<String, String> fields = Json.fields(line);
      if ("\"message\"".equals(fields.get("type"))) {
        contents.add(Json.string(Json.fields(fields.get("data")).get("content")));
      }
    }
    return contents;
  }

  /** The files, compressed or not, that hold the word. */
  private List<Path> withCanary() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        if (file.toString().endsWith(".gz")) {
          try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            bytes = in.readAllBytes();
          }
        }
        if (new String(bytes, StandardCharsets.ISO_8859_1).contains(CANARY)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  private static void fill(StoredSession session) {
    session.addItems(List.of(Item.user(CANARY + " 1")));
    session.addItems(List.of(Item.assistant(CANARY + " 2")));
    session.update(SessionUpdate.none().title("travel"));
  }

  private static void clear(JsonlStore store) {
    store.session(KEY).replaceHistory(List.of());
  }

  @Test
  void clear_leavesNoMessageInTheFile() throws Exception {
    try (JsonlStore store = open()) {
      fill(store.session(KEY));
      assertThat(messages()).hasSize(2);
      clear(store);

      assertThat(withCanary()).isEmpty();
      assertThat(messages()).isEmpty();
      assertThat(store.session(KEY).info().orElseThrow().title()).isEqualTo("travel");
      store.session(KEY).addItems(List.of(Item.user("again")));
      assertThat(messages()).containsExactly("again");
    }
    try (JsonlStore store = open()) {
      assertThat(store.session(KEY).getItems()).containsExactly(Item.user("again"));
      assertThat(store.session(KEY).info().orElseThrow().title()).isEqualTo("travel");
    }
  }

  @Test
  void clear_leavesNothingOfWhatWasPoppedOrCompacted_evenIfTheHistoryIsEmptyAlready()
      throws Exception {
    try (JsonlStore store = open()) {
      fill(store.session(KEY));
      StoredSession session = store.session(KEY);
      long first = session.entries(Range.first(1)).entries().get(0).position();
      session.commit(Commit.replacePrefix(first, List.of()));
      session.popItem();
      assertThat(messages()).hasSize(2);
      clear(store);

      assertThat(withCanary()).isEmpty();
      assertThat(messages()).isEmpty();
      assertThat(session.entries(Range.first(10).withCompacted()).entries()).isEmpty();
    }
  }

  @Test
  void clear_ofACompressedSession_leavesNothingEither() throws Exception {
    try (JsonlStore store = open()) {
      fill(store.session(KEY));
      assertThat(Compression.of(store).compress(SessionKey.of(KEY))).isPresent();
    }
    Path packed = folder.resolve("feishu%3Aoc_xxx.jsonl.gz");
    Path copy = folder.resolve("copy");
    Files.copy(packed, copy);
    try (JsonlStore store = open()) {
      clear(store);
      Files.move(copy, packed); // as a crash may leave it beside the plain file
      clear(store);

      assertThat(withCanary()).isEmpty();
      assertThat(messages()).isEmpty();
    }
  }

  @Test
  void aProcessThatDiesBetweenAnyTwoStepsOfClearing_leavesAllOrNothing_andMayClearAgain()
      throws Exception {
    int steps = Integer.MAX_VALUE;
    for (int step = 0; step <= steps; step++) {
      FaultyDisk disk = new FaultyDisk();
      JsonlStore victim = JsonlStore.builder(folder).disk(disk).diskBlock(0).open();
      fill(victim.session(KEY));
      Compression.of(victim).compress(SessionKey.of(KEY));
      List<Item> before = victim.session(KEY).getItems();
      int done = disk.operations.size();
      if (step > 0) {
        disk.dieAfter(step - 1);
      }
      try {
        clear(victim);
      } catch (StoreUnavailable e) {
        assertThat(e).hasMessageContaining("oc_xxx.jsonl");
      }
      victim.close();
      if (step == 0) {
        steps = disk.operations.size() - done; // it was not disturbed, so these are all
        assertThat(steps).isGreaterThan(4);
      }
      try (JsonlStore again = open()) {
        assertThat(again.session(KEY).getItems())
            .as("died at step %d of %d", step, steps)
            .isIn(before, List.of());
        assertThat(again.session(KEY).info().orElseThrow().title()).isEqualTo("travel");
        clear(again);
        assertThat(withCanary()).isEmpty();
        assertThat(messages()).isEmpty();
      }
    }
  }

  @Test
  void clear_removesTheQuarantineToo() throws Exception {
    Path file = folder.resolve("feishu%3Aoc_xxx.jsonl");
    try (JsonlStore store = open()) {
      fill(store.session(KEY));
      store.session(KEY).addItems(List.of(Item.user(CANARY + " 3")));
    }
    String text = Files.readString(file);
    Files.writeString(file, text.replace(CANARY + " 3", CANARY + " X"));
    try (JsonlStore store = open()) {
      assertThat(store.session(KEY).popItem()).contains(Item.assistant(CANARY + " 2"));
      Path quarantine = folder.resolve("feishu%3Aoc_xxx.quarantine");
      assertThat(quarantine).exists();
      clear(store);

      assertThat(quarantine).doesNotExist();
      assertThat(withCanary()).isEmpty();
    }
  }

  @Test
  void dropPrefix_keepsTheRestAndNothingOfWhatItDropped() throws Exception {
    try (JsonlStore store = open()) {
      StoredSession session = store.session(KEY);
      session.addItems(List.of(Item.user(CANARY), Item.user("kept")));
      long first = session.entries(Range.first(1)).entries().get(0).position();
      session.commit(Commit.dropPrefix(first, List.of(Item.user("summary"))));

      assertThat(withCanary()).isEmpty();
      assertThat(messages()).containsExactly("summary", "kept");
    }
    try (JsonlStore store = open()) {
      assertThat(store.session(KEY).getItems())
          .containsExactly(Item.user("summary"), Item.user("kept"));
    }
  }

  @Test
  void aDroppedPrefixInAFileOfEarlierVersions_isRead() throws Exception {
    Path file = folder.resolve("s.jsonl");
    try (JsonlStore store = open()) {
      StoredSession session = store.session("s");
      session.addItems(List.of(Item.user("old"), Item.user("kept")));
      session.commit(Commit.replacePrefix(1, List.of(Item.user("summary"))));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line : Files.readAllLines(file)) {
      String open = line.substring(0, line.lastIndexOf(",\"crc\""));
      Line.seal(open.replace("\"drop\":false", "\"drop\":true"), bytes);
    }
    Files.write(file, bytes.toByteArray());
    try (JsonlStore store = open()) {
      assertThat(Samples.everything(store.session("s")))
          .containsExactly(Item.user("summary"), Item.user("kept"));
    }
  }

  @Test
  void clearSession_removesTheFileWithAllThatIsBesideIt() throws Exception {
    try (JsonlStore store = open()) {
      fill(store.session(KEY));
      store.session(KEY).popItem();
      store.session(KEY).clearSession();

      assertThat(withCanary()).isEmpty();
      assertThat(folder.resolve("feishu%3Aoc_xxx.jsonl")).doesNotExist();
    }
  }
}
