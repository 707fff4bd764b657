package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.spi.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of sessions that were compressed; what else holds of them is in their contract. */
class PackedFilesTest {
  private static final SessionKey KEY = SessionKey.of("s");

  @TempDir Path folder;
  private final FaultyDisk disk = FaultyDisk.withoutSyncs();

  private Path plain() {
    return folder.resolve("s.jsonl");
  }

  private Path packed() {
    return folder.resolve("s.jsonl.gz");
  }

  private JsonlStore open() {
    return JsonlStore.builder(folder).disk(disk).diskBlock(0).open();
  }

  private static byte[] gunzip(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    }
  }

  @Test
  void aLargeFile_isTheSameForWhoeverKnowsGzip_andIsReadFromItsEnd() throws Exception {
    List<Item> items =
        Samples.items("a message of some length about streams and files, number", 4000);
    byte[] before;
    try (JsonlStore store = open()) {
      store.session(KEY).addItems(items);
      before = Files.readAllBytes(plain());
      SessionInfo info = store.session(KEY).info().orElseThrow();
      var saving = Compression.of(store).compress(KEY).orElseThrow();
      assertThat(saving.before()).isEqualTo(before.length);
      assertThat(saving.after()).isEqualTo(Files.size(packed())).isLessThan(before.length / 3);
      assertThat(Compression.of(store).isWorthwhile(KEY)).isFalse();
      assertThat(Compression.of(store).compress(KEY)).isEmpty();
      assertThat(store.session(KEY).info()).contains(info);
    }
    assertThat(files()).containsExactly("s.jsonl.gz");
    assertThat(gunzip(packed())).isEqualTo(before);
    try (JsonlStore store = open()) {
      disk.bytesRead.set(0);
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(1);
      assertThat(store.session(KEY).getItems(3)).isEqualTo(items.subList(3997, 4000));
      assertThat(disk.bytesRead.get()).isLessThan(Files.size(packed()) / 3);
      assertThat(store.session(KEY).getItems()).isEqualTo(items);
      assertThat(files()).containsExactly("s.jsonl.gz");
    }
  }

  @Test
  void theFirstChangeUnpacksIt_andWhatWasNotReadYetIsReadThen() throws Exception {
    List<Item> items = Samples.items("said before", 500);
    try (JsonlStore store = open()) {
      store.session(KEY).addItems(items);
      Compression.of(store).compress(KEY);
    }
    try (JsonlStore store = open()) {
      assertThat(store.session(KEY).getItems(2)).hasSize(2);
      store.session(KEY).addItems(Samples.items("said now", 1));
      assertThat(files()).containsExactly("s.jsonl");
      assertThat(store.session(KEY).getItems()).hasSize(501).startsWith(items.get(0));
      assertThat(Compression.of(store).decompress(KEY)).isFalse();
      Compression.of(store).compress(KEY);
      assertThat(Compression.of(store).decompress(KEY)).isTrue();
      assertThat(files()).containsExactly("s.jsonl");
      assertThat(Compression.of(store).shrink()).isZero();
      Compression.of(store).compress(KEY);
      assertThat(store.session(KEY).delete()).isTrue();
      assertThat(files()).isEmpty();
    }
    assertThat(disk.openFiles).hasValue(0);
  }

  /** How a process ends in the middle of something. */
  private interface Work {
    void on(JsonlStore store);
  }

  @Test
  void aProcessThatDiesBetweenAnyTwoStepsOfPacking_leavesTheSessionAsItWas() throws Exception {
    diesAnywhere(false, store -> Compression.of(store).compress(KEY));
  }

  @Test
  void aProcessThatDiesBetweenAnyTwoStepsOfUnpacking_leavesTheSessionAsItWas() throws Exception {
    diesAnywhere(true, store -> Compression.of(store).decompress(KEY));
    diesAnywhere(true, store -> store.session(KEY).addItems(Samples.items("late", 1)));
  }

  private void diesAnywhere(boolean packedBefore, Work work) throws Exception {
    List<Item> items = Samples.items("kept", 40);
    boolean died = true;
    for (int step = 0; died; step++) {
      Path own = Files.createTempDirectory(folder, "dies");
      FaultyDisk dying = FaultyDisk.withoutSyncs();
      JsonlStore victim = JsonlStore.builder(own).disk(dying).diskBlock(0).open();
      victim.session(KEY).addItems(items);
      if (packedBefore) {
        Compression.of(victim).compress(KEY);
      }
      victim.unload(KEY);
      dying.dieAfter(step);
      died = false;
      try {
        work.on(victim);
      } catch (StoreUnavailable e) {
        died = true;
      }
      victim.close();
      try (JsonlStore again = JsonlStore.builder(own).diskBlock(0).open()) {
        List<Item> left = again.session(KEY).getItems();
        assertThat(left.subList(0, 40)).as("died at step %d", step).isEqualTo(items);
        assertThat(left.size()).isIn(40, 41);
        assertThat(again.list(SessionQuery.of("")).sessions()).hasSize(1);
        assertThat(Samples.findings(again)).as("died at step %d", step).isEmpty();
        again.session(KEY).addItems(Samples.items("after", 1));
        Compression.of(again).compress(KEY);
        assertThat(own.resolve("s.jsonl")).doesNotExist();
        assertThat(again.session(KEY).getItems()).hasSize(left.size() + 1);
        assertThat(again.session(KEY).delete()).isTrue();
      }
      try (Stream<Path> all = Files.list(own)) {
        assertThat(all.filter(path -> path.getFileName().toString().startsWith("s."))).isEmpty();
      }
    }
  }

  @Test
  void aDamagedFile_isNamed_leftAlone_reported_andErased() throws Exception {
    SessionKey other = new SessionKey("ann", "s");
    try (JsonlStore store = open()) {
      store.session(other).addItems(Samples.items("hers", 3000));
      store.session(KEY).addItems(Samples.items("his", 3));
      Compression.of(store).compress(other);
    }
    Path file = folder.resolve("@ann").resolve("s.jsonl.gz");
    byte[] good = Files.readAllBytes(file);
    byte[] bad = good.clone();
    bad[bad.length / 3] ^= 0x10;
    for (byte[] content : List.of(bad, Arrays.copyOf(good, good.length / 2))) {
      Samples.overwrite(file, content);
      try (JsonlStore store = open()) {
        assertThatThrownBy(() -> store.session(other).getItems())
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageContaining("s.jsonl.gz")
            .hasMessageContaining("damaged");
        assertThatThrownBy(() -> store.session(other).addItems(Samples.items("more", 1)))
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageContaining("s.jsonl.gz");
        assertThat(Samples.findings(store)).containsExactly(Finding.Kind.BACKEND);
        assertThat(store.session(KEY).getItems()).hasSize(3);
      }
      assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }
    try (JsonlStore store = open()) {
      store.erase("ann");
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void anyByteThatIsFlipped_isAnErrorOrChangesNothing() throws Exception {
    Path file = folder.resolve("x.jsonl");
    byte[] text = "some words of a file\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    Files.write(file, text);
    Path packed = folder.resolve("x.jsonl.gz");
    try (Disk.File from = disk.open(file, false);
        Disk.File to = disk.open(packed, true)) {
      PackedFile.pack(from, to);
    }
    byte[] good = Files.readAllBytes(packed);
    assertThat(readPacked(packed)).isEqualTo(text);
    int noticed = 0;
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 0x21;
      Samples.overwrite(packed, bad);
      try {
        assertThat(Arrays.equals(readPacked(packed), text)).as("byte %d", i).isTrue();
      } catch (IOException e) {
        noticed++;
      }
    }
    assertThat(noticed).isGreaterThan(good.length / 2);
  }

  private byte[] readPacked(Path packed) throws IOException {
    try (Disk.File file = PackedFile.open(packed, disk)) {
      byte[] bytes = new byte[(int) file.size()];
      file.read(ByteBuffer.wrap(bytes), 0);
      return bytes;
    }
  }

  @Test
  void aFileOfAnotherProgram_keepsItsTime_andOneCompressedByHandIsRead() throws Exception {
    String line =
        "{\"type\":\"message\",\"data\":{\"role\":\"user\",\"content\":\"hello there\"}}\n";
    Files.writeString(plain(), line.repeat(50));
    FileTime time = FileTime.from(Instant.parse("2025-03-01T10:00:00Z"));
    Files.setLastModifiedTime(plain(), time);
    SessionInfo before;
    try (JsonlStore store = open()) {
      before = store.session(KEY).info().orElseThrow();
      assertThat(before.itemCount()).isEqualTo(50);
      Compression.of(store).compress(KEY);
      assertThat(store.session(KEY).info()).contains(before);
      Compression.of(store).decompress(KEY);
      assertThat(store.session(KEY).info()).contains(before);
    }
    assertThat(plain()).hasContent(line.repeat(50).strip());
    assertThat(Files.getLastModifiedTime(plain())).isEqualTo(time);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed()))) {
      Files.copy(plain(), out);
    }
    Files.setLastModifiedTime(packed(), time);
    Files.delete(plain());
    try (JsonlStore store = open()) {
      assertThat(store.session(KEY).info()).contains(before);
      store.session(KEY).addItems(Samples.items("ours", 1));
      assertThat(store.session(KEY).getItems()).hasSize(51);
      assertThat(files()).containsExactly("s.jsonl");
    }
  }

  @Test
  void whatSavesNoBlockOfTheDisk_andWhatWouldReplaceAnotherSession_isLeft() throws Exception {
    try (JsonlStore store = JsonlStore.builder(folder).disk(disk).open()) {
      store.session(KEY).addItems(Samples.items("short", 3));
      assertThat(Compression.of(store).isWorthwhile(KEY)).isFalse();
      assertThat(Compression.of(store).compress(KEY)).isEmpty();
    }
    try (JsonlStore store = open()) {
      Compression.of(store).compress(KEY);
    }
    byte[] old = Files.readAllBytes(packed());
    Path aside = folder.resolve("aside");
    Files.move(packed(), aside);
    try (JsonlStore store = // of another time, by which the two sessions are told apart
        JsonlStore.builder(folder)
            .disk(disk)
            .diskBlock(0)
            .clock(Clock.offset(Clock.systemUTC(), Duration.ofDays(1)))
            .open()) {
      store.session(KEY).addItems(Samples.items("of a program that sees no compressed files", 9));
    }
    Files.move(aside, packed());
    try (JsonlStore store = open()) {
      assertThat(Compression.of(store).compress(KEY)).isEmpty();
      assertThat(store.session(KEY).getItems()).hasSize(9);
      assertThat(Samples.findings(store)).containsExactly(Finding.Kind.BACKEND);
    }
    assertThat(Files.readAllBytes(packed())).isEqualTo(old);
  }
}
