package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file that was cut off anywhere has the batches that were whole before the cut, and no other.
 */
class TornTailTest {
  private static final SessionKey KEY = SessionKey.of("s");

  @TempDir Path folder;
  private Path file;
  private byte[] whole;
  private NavigableMap<Long, List<Item>> states;

  @BeforeEach
  void writeEveryKindOfChange() throws IOException {
    Path source = folder.resolve("source");
    try (JsonlStore store = open(source)) {
      states = Samples.everyKindOfChange(store.session(KEY), source.resolve("s.jsonl"), 64);
    }
    whole = Files.readAllBytes(source.resolve("s.jsonl"));
    assertThat(Samples.lines(source.resolve("s.jsonl"))).isEqualTo(64);
    file = Files.createDirectories(folder.resolve("cut")).resolve("s.jsonl");
  }

  @Test
  void aFileCutAtAnyByte_hasExactlyTheWholeBatchesBeforeTheCut() throws IOException {
    try (JsonlStore store = open(file.getParent())) {
      for (int cut = 0; cut <= whole.length; cut++) {
        cutAt(cut, store);
        assertThat(store.session(KEY).getItems()).as("cut at %d", cut).isEqualTo(before(cut));
      }
      assertThat(Samples.findings(store)).containsOnly(Finding.Kind.UNPAIRED);
    }
  }

  @Test
  void aFileCutAtAnyByte_canBeAppendedToAndReadFromItsEnd() throws IOException {
    try (JsonlStore store = open(file.getParent())) {
      for (int cut = 1; cut <= whole.length; cut += 29) {
        cutAt(cut, store);
        store.session(KEY).addItems(List.of(Item.user("after the cut")));
        store.unload(KEY);
        List<Item> expected = new ArrayList<>(before(cut));
        expected.add(Item.user("after the cut"));
        assertThat(store.session(KEY).getItems()).as("cut at %d", cut).isEqualTo(expected);
        assertThat(store.session(KEY).getItems(1)).containsExactly(Item.user("after the cut"));
        assertThat(Samples.findings(store)).doesNotContain(Finding.Kind.DAMAGED);
      }
    }
  }

  @Test
  void aBlockThatWasNeverWritten_isCutOffToo() throws IOException {
    try (JsonlStore store = open(file.getParent())) {
      for (int hole = 0; hole < whole.length - 1; hole += 29) {
        // The size of the file reached the disk, the rest of the last block did not.
        byte[] bytes = Arrays.copyOf(whole, whole.length);
        Arrays.fill(bytes, hole, bytes.length, (byte) 0);
        Samples.overwrite(file, bytes);
        store.unload(KEY);
        assertThat(store.session(KEY).getItems()).as("zeros from %d", hole).isEqualTo(before(hole));
      }
    }
  }

  @Test
  void aStoreOpenedOverATornFile_listsTheSessionAsItIs() throws IOException {
    for (long end : states.keySet()) {
      Samples.overwrite(file, Arrays.copyOf(whole, (int) Math.min(whole.length, end + 20)));
      try (JsonlStore store = open(file.getParent())) {
        List<SessionInfo> sessions = store.list(SessionQuery.of("")).sessions();
        assertThat(sessions).hasSize(end == 0 ? 0 : 1);
        sessions.forEach(info -> assertThat(info.itemCount()).isEqualTo(before(end).size()));
      }
    }
  }

  private void cutAt(int cut, JsonlStore store) throws IOException {
    Samples.overwrite(file, Arrays.copyOf(whole, cut));
    store.unload(KEY);
  }

  private List<Item> before(long cut) {
    return states.floorEntry(cut).getValue();
  }

  private static JsonlStore open(Path folder) {
    return JsonlStore.builder(folder).disk(FaultyDisk.withoutSyncs()).open();
  }
}
