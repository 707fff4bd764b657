package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.OutcomeUnknown;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Item;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;

/** A disk that fails to make something durable: the store acknowledges nothing after that. */
class FailedSyncTest {
  @TempDir Path folder;

  private static void append(SqliteStore store, int number) {
    store.session("s").commit(Commit.append(List.of(item(number))).operationId("op-" + number));
  }

  private static Item item(int number) {
    return Item.user("item " + number);
  }

  @Test
  void aStoreWhoseSyncFailedRefusesWritesAndStillReads() {
    FailingDriver driver = new FailingDriver();
    Path file = folder.resolve("sync.db");
    try (SqliteStore store = SqliteStore.builder(file.toString()).driver(driver).open()) {
      append(store, 1);
      driver.failWith(SQLiteErrorCode.SQLITE_IOERR_FSYNC);
      assertThatThrownBy(() -> append(store, 2))
          .isInstanceOf(OutcomeUnknown.class)
          .hasMessageContainingAll(file.toString(), "may or may not be there");
      driver.failWith(SQLiteErrorCode.SQLITE_OK);
      assertThatThrownBy(() -> append(store, 3))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContainingAll(file.toString(), "open the store again");
      assertThatThrownBy(() -> store.session("s").popItem()).isInstanceOf(StoreUnavailable.class);
      assertThat(store.session("s").getItems()).containsExactly(item(1));
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      append(store, 2); // safe to repeat
      append(store, 3);
      assertThat(store.session("s").getItems()).containsExactly(item(1), item(2), item(3));
    }
  }

  /** The same with the real driver and a kernel that is made to fail; needs strace, so in soak. */
  @TestFactory
  Stream<DynamicTest> nothingIsAcknowledgedAfterTheKernelFailedToSync() {
    return Soak.ON
        ? IntStream.range(20, 60)
            .mapToObj(
                sync ->
                    DynamicTest.dynamicTest(
                        "sync " + sync, () -> failTheSync(sync, folder.resolve(sync + ".db"))))
        : Stream.empty();
  }

  private void failTheSync(int sync, Path file) throws IOException {
    List<String> said = Collections.synchronizedList(new ArrayList<>());
    // Fails once, like a kernel that drops the dirty pages and is happy with the next sync.
    List<String> strace =
        List.of(
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "trace=fsync,fdatasync",
            "-e",
            "inject=fsync,fdatasync:error=EIO:when=" + sync);
    try (ChildJvm child =
        ChildJvm.start(strace, folder, SyncProgram.class, said::add, file.toString())) {
      child.await();
    }
    long acknowledged = said.stream().filter("ok"::equals).count();
    assertThat(said.subList((int) acknowledged, said.size()))
        .as("after %d acknowledged appends", acknowledged)
        .containsExactly("OutcomeUnknown", "StoreUnavailable", "StoreUnavailable");
    try (SqliteStore store = SqliteStore.open(file)) {
      List<Item> items = store.session("s").getItems();
      assertThat(items)
          .startsWith(
              IntStream.range(0, (int) acknowledged)
                  .mapToObj(FailedSyncTest::item)
                  .toArray(Item[]::new))
          .hasSizeBetween((int) acknowledged, (int) acknowledged + 1);
    }
  }

  /** Appends until it is refused, then tries twice more; says how each append ended. */
  static final class SyncProgram {
    private SyncProgram() {}

    public static void main(String[] args) {
      try (SqliteStore store = SqliteStore.open(args[0])) {
        int refused = 0;
        for (int i = 0; refused < 3; i++) {
          try {
            append(store, i);
            System.out.println("ok");
          } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName());
            refused++;
          }
        }
      }
    }
  }
}
