package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fails: nothing acknowledged is lost, nothing is acknowledged that may be. */
class FailingDiskTest {
  @TempDir Path folder;
  private final FaultyDisk disk = new FaultyDisk();
  private JsonlStore store;

  private StoredSession open() {
    store = JsonlStore.builder(folder).disk(disk).open();
    return store.session("s");
  }

  @AfterEach
  void close() {
    disk.fail(FaultyDisk.Fault.NONE);
    store.close();
  }

  @Test
  void afterAFailedSync_nothingIsAcknowledgedUntilTheStoreIsOpenedAgain() {
    StoredSession session = open();
    session.addItems(Samples.items("kept", 2));
    disk.fail((operation, path) -> operation.equals("sync"));
    assertThatThrownBy(() -> session.addItems(Samples.items("lost", 1)))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("s.jsonl")
        .extracting(e -> ((StoreUnavailable) e).retryable())
        .isEqualTo(false);
    disk.fail(FaultyDisk.Fault.NONE);

    assertThatThrownBy(() -> session.addItems(Samples.items("late", 1)))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("open it again");
    assertThatThrownBy(() -> store.session("other").addItems(Samples.items("late", 1)))
        .isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(session::popItem).isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(() -> store.session(session.key()).delete())
        .isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(
            () -> store.documents().put("", "r", "{}", OptionalLong.empty(), Optional.empty()))
        .isInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(store::ping).isInstanceOf(StoreUnavailable.class);
    assertThat(session.getItems()).isEqualTo(Samples.items("kept", 2));
    store.close();
    StoredSession again = open();
    again.addItems(Samples.items("anew", 1));
    assertThat(again.getItems()).hasSize(3);
  }

  @Test
  void aFailedSyncOfTheFolder_isFinalToo() {
    StoredSession session = open();
    disk.fail((operation, path) -> operation.equals("syncFolder"));
    assertThatThrownBy(() -> session.addItems(Samples.items("lost", 1)))
        .isInstanceOf(StoreUnavailable.class);
    disk.fail(FaultyDisk.Fault.NONE);

    assertThatThrownBy(() -> session.addItems(Samples.items("late", 1)))
        .isInstanceOf(StoreUnavailable.class);
    assertThat(session.getItems()).isEmpty();
  }

  @Test
  void aFullDisk_losesNothingAndTheStoreGoesOnWhenThereIsSpace() {
    StoredSession session = open();
    session.addItems(Samples.items("kept", 2));
    disk.fail((operation, path) -> operation.equals("write"));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> session.addItems(Samples.items("refused", 2)))
          .isInstanceOf(StoreUnavailable.class)
          .extracting(e -> ((StoreUnavailable) e).retryable())
          .isEqualTo(true);
      assertThatThrownBy(() -> store.session("new").addItems(Samples.items("refused", 1)))
          .isInstanceOf(StoreUnavailable.class);
      assertThatThrownBy(
              () -> store.documents().put("", "r", "{}", OptionalLong.empty(), Optional.empty()))
          .isInstanceOf(StoreUnavailable.class);
    }
    assertThat(session.getItems()).isEqualTo(Samples.items("kept", 2));
    disk.fail(FaultyDisk.Fault.NONE);

    session.addItems(Samples.items("more", 1));
    store.session("new").addItems(Samples.items("new", 1));
    store.unload(session.key());
    assertThat(session.getItems()).hasSize(3);
    assertThat(store.session("new").getItems()).isEqualTo(Samples.items("new", 1));
    assertThat(store.documents().get("", "r")).isEmpty();
    assertThat(Samples.findings(store)).isEmpty();
  }

  @Test
  void aRefusedAppendWithAnOperationId_canBeRepeated() {
    StoredSession session = open();
    session.addItems(Samples.items("kept", 1));
    Commit turn = Commit.append(Samples.items("turn", 2)).operationId("t");
    disk.fail((operation, path) -> operation.equals("write"));
    assertThatThrownBy(() -> session.commit(turn)).isInstanceOf(StoreUnavailable.class);
    disk.fail(FaultyDisk.Fault.NONE);

    assertThat(session.commit(turn).repeated()).isFalse();
    assertThat(session.commit(turn).repeated()).isTrue();
    assertThat(session.getItems()).hasSize(3);
  }

  @Test
  void aProcessThatDiesBetweenAnyTwoStepsOfWritingAnew_leavesTheWholeHistory() throws Exception {
    int steps = stepsOfACompaction();
    assertThat(steps).isGreaterThan(3);
    for (int step = 0; step <= steps; step++) {
      Path own = folder.resolve("dies-" + step);
      FaultyDisk dying = new FaultyDisk();
      List<Item> acknowledged;
      List<Item> tried;
      JsonlStore victim = JsonlStore.builder(own).disk(dying).open();
      acknowledged = fillWithGarbage(victim);
      tried = new ArrayList<>(acknowledged);
      tried.remove(tried.size() - 1);
      dying.dieAfter(step);
      try {
        victim.session("s").popItem();
      } catch (StoreUnavailable e) {
        assertThat(e).hasMessageContaining("s.jsonl");
      }
      victim.close();
      try (JsonlStore again = JsonlStore.open(own)) {
        assertThat(again.session("s").getItems())
            .as("died at step %d", step)
            .isIn(acknowledged, tried);
        again.session("s").addItems(Samples.items("after", 1));
        assertThat(Samples.findings(again)).isEmpty();
      }
    }
    open();
  }

  private int stepsOfACompaction() {
    FaultyDisk counting = new FaultyDisk();
    try (JsonlStore one = JsonlStore.builder(folder.resolve("counted")).disk(counting).open()) {
      fillWithGarbage(one);
      int before = counting.operations.size();
      one.session("s").popItem();
      assertThat(counting.operations.subList(before, counting.operations.size()))
          .contains("rename");
      return counting.operations.size() - before;
    }
  }

  /** A file that is just short of being written anew. */
  private static List<Item> fillWithGarbage(JsonlStore store) {
    StoredSession session = store.session("s");
    session.addItems(Samples.items("stays", 3));
    Item large = Item.user("x".repeat(40_000));
    session.addItems(List.of(large, large));
    session.popItem();
    return session.getItems();
  }

  @Test
  void anInterruptedThread_stillGetsItsWriteAcknowledged() throws Exception {
    StoredSession session = open();
    session.addItems(Samples.items("before", 1));
    Thread.currentThread().interrupt();
    session.addItems(Samples.items("interrupted", 1));
    assertThat(Thread.interrupted()).isTrue();
    session.addItems(Samples.items("after", 1));
    store.unload(SessionKey.of("s"));

    assertThat(session.getItems()).hasSize(3);
    assertThat(Files.readAllLines(folder.resolve("s.jsonl"))).hasSize(4);
  }
}
