package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SearchQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fills up under eight writers, and has room again later. */
@Tag("hostile")
class DiskFullTest {
  private static final int WRITERS = 8;
  private static final String FILLER = "x".repeat(2_000);

  @TempDir Path folder;

  @Test
  void aFileThatMayNotGrowLosesNothingAndGoesOnWhenItMay() throws Exception {
    try (SmallDisk disk = SmallDisk.limited(folder)) {
      fillAndGoOn(disk);
    }
  }

  @Test
  void aFullDiskLosesNothingAndGoesOnWhenThereIsRoom() throws Exception {
    Optional<SmallDisk> mounted = SmallDisk.mounted(folder);
    System.out.println("disk full: " + (mounted.isPresent() ? "a small tmpfs" : "a page limit"));
    try (SmallDisk disk = mounted.orElseGet(() -> SmallDisk.limited(folder))) {
      fillAndGoOn(disk);
    }
  }

  private void fillAndGoOn(SmallDisk disk) throws Exception {
    List<Integer> acknowledged;
    try (SqliteStore store = disk.open()) {
      acknowledged = Wait.together(WRITERS, writer -> writeUntilFull(disk, store, writer));
      assertThat(acknowledged.stream().mapToInt(count -> count).sum()).isGreaterThan(20);
      assertAllThere(store, acknowledged, 0);
      assertRefused(disk, () -> write(store, 0, acknowledged.get(0)));
      assertReadable(store);

      disk.free();

      // What was refused is repeated with its operation id, as a careful caller does.
      Wait.together(
          WRITERS,
          writer -> {
            write(store, writer, acknowledged.get(writer));
            return true;
          });
      assertAllThere(store, acknowledged, 1);
    }
    try (SqliteStore store = disk.open()) {
      assertAllThere(store, acknowledged, 1);
      List<Object> findings = new ArrayList<>();
      store.check(findings::add);
      assertThat(findings).isEmpty();
      assertThat(store.search(SearchQuery.of("", "\"writer 3\"")).hits()).isNotEmpty();
    }
  }

  private static int writeUntilFull(SmallDisk disk, SqliteStore store, int writer) {
    int turn = 0;
    try {
      while (true) {
        write(store, writer, turn);
        turn++;
      }
    } catch (ClewException e) {
      assertIsFull(disk, e);
      return turn;
    }
  }

  private static void write(SqliteStore store, int writer, int turn) {
    store
        .session("w" + writer)
        .commit(Commit.append(batch(writer, turn)).operationId(writer + "-" + turn));
  }

  private static List<Item> batch(int writer, int turn) {
    return IntStream.range(0, 4)
        .mapToObj(i -> Item.user("writer " + writer + " turn " + turn + " item " + i + FILLER))
        .toList();
  }

  private static void assertRefused(SmallDisk disk, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(StoreUnavailable.class, e -> assertIsFull(disk, e));
  }

  private static void assertIsFull(SmallDisk disk, ClewException e) {
    assertThat(e)
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContainingAll(disk.file().toString(), "disk is full", "free some space");
    assertThat(e.retryable()).isTrue();
  }

  private static void assertReadable(SqliteStore store) {
    assertThat(store.session("w1").getItems(3)).hasSize(3);
    assertThat(store.session("w1").info()).isPresent();
    assertThat(store.search(SearchQuery.of("", "writer")).hits())
        .as("a search finds what cannot be indexed")
        .isNotEmpty();
  }

  private static void assertAllThere(SqliteStore store, List<Integer> acknowledged, int more) {
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Item> expected = new ArrayList<>();
      for (int turn = 0; turn < acknowledged.get(writer) + more; turn++) {
        expected.addAll(batch(writer, turn));
      }
      assertThat(store.session("w" + writer).getItems()).isEqualTo(expected);
      int last = Math.min(20, expected.size());
      assertThat(store.session("w" + writer).getItems(20))
          .isEqualTo(expected.subList(expected.size() - last, expected.size()));
    }
  }

  @Test
  void openingOnAFullDiskIsATypedErrorAndWorksWhenThereIsRoom() throws Exception {
    Optional<SmallDisk> mounted = SmallDisk.mounted(folder);
    try (SmallDisk disk = mounted.orElseGet(() -> SmallDisk.limited(folder))) {
      if (mounted.isPresent()) {
        fill(disk);
        assertThatThrownBy(disk::open)
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageContaining(disk.file().toString());
        disk.free();
      }
      try (SqliteStore store = disk.open()) {
        write(store, 1, 1);
        assertThat(store.session("w1").getItems()).isEqualTo(batch(1, 1));
      }
    }
  }

  private static void fill(SmallDisk disk) {
    try (var out = java.nio.file.Files.newOutputStream(disk.file().resolveSibling("more"))) {
      byte[] block = new byte[4096];
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      // That was the last block.
    }
  }
}
