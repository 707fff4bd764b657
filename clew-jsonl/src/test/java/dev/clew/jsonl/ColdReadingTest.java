package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from the end of a file is what the whole history has. */
class ColdReadingTest {
  private static final int SEEDS = Integer.getInteger("clew.seeds", 30);

  @TempDir Path folder;

  @Test
  void aStoreThatKeepsNothingInMemory_hasTheSameHistoriesAsOneThatKeepsEverything() {
    for (int seed = 0; seed < SEEDS; seed++) {
      TestClock clock = new TestClock(Instant.parse("2025-01-01T00:00:00Z"));
      Random random = new Random(seed);
      try (MemoryStore memory = MemoryStore.builder().clock(clock).build();
          JsonlStore cold =
              JsonlStore.builder(folder.resolve("seed-" + seed))
                  .clock(clock)
                  .cacheSessions(0)
                  .disk(FaultyDisk.withoutSyncs())
                  .open()) {
        StoredSession expected = memory.session("s");
        StoredSession found = cold.session("s");
        for (int i = 0; i < 60; i++) {
          long choice = random.nextLong();
          clock.advance(Duration.ofMillis(random.nextInt(5)));
          assertThat(change(found, new Random(choice), i))
              .isEqualTo(change(expected, new Random(choice), i));
          compare(seed, i, found, expected, random);
        }
      }
    }
  }

  private static String change(StoredSession session, Random random, int number) {
    List<Entry> entries = session.entries(Range.first(1000)).entries();
    long some = entries.isEmpty() ? 1 : entries.get(random.nextInt(entries.size())).position();
    List<Item> items = Samples.items("n" + number, random.nextInt(4));
    try {
      return switch (random.nextInt(10)) {
        case 0 -> session.popItem().toString();
        case 1 -> session.commit(Commit.removeItem(some)).toString();
        case 2 ->
            session
                .commit(Commit.replaceItem(some, Draft.of(Item.user("edit " + number))))
                .toString();
        case 3 -> session.commit(Commit.replacePrefix(some, items)).toString();
        case 4 -> session.commit(Commit.dropPrefix(some, items)).toString();
        case 5 ->
            entries.isEmpty()
                ? ""
                : session.commit(Commit.replaceSuffix(session.getItems(1), items)).toString();
        default ->
            session.commit(Commit.append(items).operationId("op " + random.nextInt(6))).toString();
      };
    } catch (ClewException.VersionConflict e) {
      return e.getMessage();
    }
  }

  private static void compare(
      int seed, int step, StoredSession found, StoredSession expected, Random random) {
    String where = "seed " + seed + ", step " + step;
    int limit = random.nextInt(6);
    long position = random.nextInt(40) - 8L;
    assertThat(found.getItems(limit)).as(where).isEqualTo(expected.getItems(limit));
    for (Range range :
        List.of(
            Range.latest(limit),
            Range.first(limit),
            Range.before(position, limit),
            Range.after(position, limit),
            Range.latest(limit).withCompacted(),
            Range.first(1000).withCompacted())) {
      assertThat(found.entries(range))
          .as("%s, %s", where, range)
          .isEqualTo(expected.entries(range));
    }
    assertThat(found.info().map(info -> info.itemCount()))
        .as(where)
        .isEqualTo(expected.info().map(info -> info.itemCount()));
    assertThat(found.info().map(info -> info.bytes()))
        .as(where)
        .isEqualTo(expected.info().map(info -> info.bytes()));
  }

  @Test
  void theNewestItemsOfALongColdFile_areReadFromItsEnd() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    SessionKey key = SessionKey.of("long");
    try (JsonlStore store = JsonlStore.builder(folder).disk(disk).open()) {
      for (int i = 0; i < 50; i++) {
        store.session(key).addItems(Samples.items("batch " + i, 1000));
      }
      store.unload(key);
      disk.bytesRead.set(0);
      assertThat(store.session(key).getItems(20))
          .isEqualTo(Samples.items("batch 49", 1000).subList(980, 1000));
      assertThat(disk.bytesRead.get()).isLessThan(64 << 10);
      assertThat(store.session(key).info().orElseThrow().itemCount()).isEqualTo(50_000);

      store.unload(key);
      disk.bytesRead.set(0);
      store.session(key).addItems(Samples.items("one more", 1));
      assertThat(disk.bytesRead.get()).isLessThan(64 << 10);
      assertThat(store.session(key).getItems()).hasSize(50_001);
    }
  }

  @Test
  void theCache_isBoundedInSessionsAndInBytes() {
    FaultyDisk disk = new FaultyDisk();
    try (JsonlStore store =
        JsonlStore.builder(folder).disk(disk).cacheSessions(5).cacheBytes(20_000).open()) {
      for (int i = 0; i < 30; i++) {
        store.session("s" + i).addItems(Samples.items("text", 2));
        assertThat(disk.openFiles.get()).isLessThanOrEqualTo(5);
      }
      store.session("large").addItems(Samples.items("large", 200));
      assertThat(store.session("large").getItems()).hasSize(200);
      assertThat(disk.openFiles.get()).isLessThanOrEqualTo(1);
      for (int i = 0; i < 30; i++) {
        assertThat(store.session("s" + i).getItems()).hasSize(2);
      }
    }
    assertThat(disk.openFiles.get()).isZero();
  }
}
