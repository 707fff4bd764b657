package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** C3, C5, C22: a change that no thread waits for. */
@Rule(
    "commitAsync does what commit does and fails its future with what commit throws; with "
        + "the feature AsyncCommits it never waits")
interface AsyncCommitRules extends StoreFixture {

  private static Receipt outcome(CompletableFuture<Receipt> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  @Test
  default void commitAsync_isDurableWhenItsFutureIsDone() {
    StoredSession session = newSession();
    Receipt receipt = outcome(session.commitAsync(Commit.append(Items.of("one", "two"))));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
    assertThat(receipt.version()).isEqualTo(session.info().orElseThrow().version());
    boolean kept = restart();
    assertThat(store().session(session.key()).getItems())
        .isEqualTo(kept ? Items.of("one", "two") : List.of());
  }

  @Test
  default void commitAsync_keepsTheOrderOfItsCaller_whoNeedNotWait() {
    SessionKey key = newKey();
    List<CompletableFuture<Receipt>> given = new ArrayList<>();
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Item item = Item.user("item " + i);
      items.add(item);
      given.add(store().session(key).commitAsync(Commit.append(List.of(item))));
    }
    given.forEach(AsyncCommitRules::outcome);
    assertThat(store().session(key).getItems()).isEqualTo(items);
  }

  @Test
  default void commitAsync_failsWithWhatCommitThrows_andHurtsNoOther() {
    StoredSession session = newSession();
    Commit append = Commit.append(Items.of("x"));
    CompletableFuture<Receipt> first = session.commitAsync(append);
    CompletableFuture<Receipt> refused = session.commitAsync(append.expectVersion(99));
    CompletableFuture<Receipt> last = session.commitAsync(append);
    assertThatThrownBy(() -> outcome(refused))
        .hasCauseInstanceOf(ClewException.VersionConflict.class);
    outcome(first);
    outcome(last);
    assertThat(session.getItems()).isEqualTo(Items.of("x", "x"));
  }

  @Test
  default void commitAsync_atAClosedStore_fails() {
    SessionKey key = newKey();
    outcome(store().session(key).commitAsync(Commit.append(Items.of("x"))));
    store().close();
    Throwable failure =
        catchThrowable(
            () -> outcome(store().session(key).commitAsync(Commit.append(Items.of("y")))));
    assertThat(failure instanceof CompletionException ? failure.getCause() : failure)
        .isInstanceOf(ClewException.class);
  }
}
