package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.DocumentPut;
import dev.clew.Commit.Fence;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
  @Rule("commitAsync never throws: what refuses the commit fails its future")
  default void commitAsync_thatIsRefused_failsItsFutureAndDoesNotThrow() {
    StoredSession session = newSession();
    session.addItems(Items.of("x"));
    Commit append = Commit.append(Items.of("y"));
    isRefused(session, append.expectVersion(99), ClewException.VersionConflict.class);
    isRefused(session, append.expectTail(99), ClewException.VersionConflict.class);
    isRefused(session, Commit.removeItem(99), ClewException.VersionConflict.class);
    isRefused(session, append.fence(new Fence("turn", 99)), ClewException.SessionBusy.class);
    isRefused(session, append.timeToLive(Duration.ofDays(-1)), IllegalArgumentException.class);
    isRefused(
        session,
        append.document(
            new DocumentPut("", OptionalLong.empty(), Optional.empty(), receipt -> "{}")),
        IllegalArgumentException.class);
    assertThat(session.getItems()).isEqualTo(Items.of("x"));

    store().close();
    isRefused(session, append, ClewException.Closed.class);
  }

  private static void isRefused(
      StoredSession session, Commit commit, Class<? extends Throwable> reason) {
    assertThatThrownBy(() -> outcome(session.commitAsync(commit)))
        .as("what the future failed with, as nothing is thrown")
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(reason);
  }
}
