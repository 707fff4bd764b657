package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** C1, C3, C6: what makes a session exist, and what does not. */
@Rule(
    "a session begins with its first item or its first update, never by being read, and "
        + "its record goes with clearSession")
interface CreatingRules extends StoreFixture {

  @Test
  default void reading_doesNotCreateTheSession() {
    StoredSession session = newSession();
    session.getItems();
    session.getItems(3);
    session.entries(Range.latest(5));
    session.entries(Range.first(5).withCompacted());
    session.find("msg_1");

    assertAbsent(session);
  }

  @Test
  default void aReceipt_doesNotSayThatANewSessionWasThere() {
    StoredSession session = newSession();
    Commit one = Commit.append(Items.of("one"));

    assertThat(session.commit(one).existed()).isFalse();
    session.commit(one);
    store().session(session.key()).delete();
    assertThat(session.commit(one).existed()).as("after it was deleted").isFalse();
    session.update(SessionUpdate.none().timeToLive(Duration.ofHours(1)));
    clock().advance(Duration.ofHours(2));
    assertThat(session.commit(one).existed()).as("after it expired").isFalse();
  }

  @Test
  default void poppingAndClearing_doNotCreateTheSession() {
    StoredSession session = newSession();
    session.popItem();
    session.clearSession();
    session.undoTurn();

    assertAbsent(session);
  }

  @Test
  default void addingNothing_doesNotCreateTheSession() {
    StoredSession session = newSession();
    session.addItems(List.of());
    Receipt receipt = session.commit(Commit.append(List.of()));

    assertThat(receipt.firstPosition()).isEmpty();
    assertThat(receipt.lastPosition()).isEmpty();
    assertAbsent(session);
  }

  @Test
  default void addingNothing_changesNothingOfASessionThatExists() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    SessionInfo before = session.info().orElseThrow();
    clock().advance(Duration.ofMinutes(1));
    session.addItems(List.of());
    session.commit(Commit.append(List.of()));

    assertThat(session.info()).contains(before);
  }

  @Test
  default void aRefusedBatch_doesNotCreateTheSession() {
    StoredSession session = newSession();

    assertThatThrownBy(() -> session.addItems(Arrays.asList(Item.user("good"), null)))
        .isInstanceOf(ClewException.InvalidItem.class);
    assertAbsent(session);
  }

  @Test
  default void aRefusedTransaction_doesNotCreateTheSession() {
    StoredSession session = newSession();
    Commit late = Commit.append(Items.of("late")).expectVersion(7);

    assertThatThrownBy(() -> session.commit(late))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertAbsent(session);
  }

  @Test
  default void watchingAndLeasing_doNotCreateTheSession() {
    StoredSession session = newSession();
    try (var watch = session.watch(0, event -> {});
        var lease = session.lease("turn", Duration.ofMinutes(1), Duration.ZERO)) {
      assertThat(lease.isHeld()).isTrue();
      assertThat(watch).isNotNull();
      assertAbsent(session);
    }
  }

  @Test
  default void addItems_createsTheSession() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));

    SessionInfo info = session.info().orElseThrow();
    assertThat(info.key()).isEqualTo(session.key());
    assertThat(info.version()).isPositive();
    assertThat(info.itemCount()).isEqualTo(1);
    assertThat(info.createdAt()).isEqualTo(clock().instant());
    assertThat(info.updatedAt()).isEqualTo(clock().instant());
    assertThat(info.title()).isEmpty();
    assertThat(info.metadata()).isEmpty();
    assertThat(info.tags()).isEmpty();
    assertThat(info.archived()).isFalse();
    assertThat(info.pinned()).isFalse();
    assertThat(info.parent()).isEmpty();
  }

  @Test
  default void update_createsTheSession() {
    StoredSession session = newSession();
    SessionInfo info = session.update(SessionUpdate.none());

    assertThat(info.version()).isPositive();
    assertThat(info.itemCount()).isZero();
    assertThat(session.info()).contains(info);
    assertThat(session.getItems()).isEmpty();
  }

  @Test
  default void poppingTheLastItem_keepsTheSession() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.update(SessionUpdate.none().title("kept"));
    session.popItem();

    SessionInfo info = session.info().orElseThrow();
    assertThat(info.title()).isEqualTo("kept");
    assertThat(info.itemCount()).isZero();
  }

  @Test
  default void clearSession_removesTheSessionItself() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.update(SessionUpdate.none().title("gone"));
    session.clearSession();

    assertAbsent(session);
  }

  @Test
  default void aSessionMadeAnewAfterAClear_hasNothingOfTheOldOne() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    session.commit(Commit.replacePrefix(Items.position(session, 0), Items.of("sum")));
    session.update(SessionUpdate.none().title("old").pinned(true));
    session.clearSession();
    clock().advance(Duration.ofHours(1));
    session.addItems(Items.of("new"));

    SessionInfo info = session.info().orElseThrow();
    assertThat(info.title()).isEmpty();
    assertThat(info.pinned()).isFalse();
    assertThat(info.itemCount()).isEqualTo(1);
    assertThat(info.createdAt()).isEqualTo(clock().instant());
    assertThat(session.entries(Range.first(10).withCompacted()).items()).isEqualTo(Items.of("new"));
  }

  @Test
  default void delete_saysWhetherThereWasASession() {
    StoredSession session = newSession();
    assertThat(store().session(session.key()).delete()).isFalse();

    session.addItems(Items.of("one"));
    assertThat(store().session(session.key()).delete()).isTrue();
    assertThat(store().session(session.key()).delete()).isFalse();
    assertAbsent(session);
  }

  private void assertAbsent(StoredSession session) {
    assertThat(session.info()).isEmpty();
    assertThat(session.getItems()).isEmpty();
    assertThat(store().list(SessionQuery.of(session.key().owner())).sessions())
        .extracting(SessionInfo::key)
        .doesNotContain(session.key());
  }
}
