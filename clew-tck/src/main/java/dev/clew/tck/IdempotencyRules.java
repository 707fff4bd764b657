package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** C12: repeating a write with an operation id. */
@Rule(
    "remember an operation id with the digest of its transaction for 24 hours: the same "
        + "again returns the first receipt, marked repeated, anything else is refused (see "
        + "Commit.operationId)")
interface IdempotencyRules extends StoreFixture {

  @Test
  default void aRepeatedAppend_writesOnce() {
    StoredSession session = newSession();
    Commit turn = append("turn-1", "one", "two");
    Receipt first = session.commit(turn);
    Receipt second = session.commit(append("turn-1", "one", "two"));

    assertThat(first.repeated()).isFalse();
    assertThat(second.repeated()).isTrue();
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void aRepeat_changesNothingOfTheSession() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "one"));
    SessionInfo before = session.info().orElseThrow();
    clock().advance(Duration.ofMinutes(1));
    session.commit(append("turn-1", "one"));

    assertThat(session.info()).contains(before);
  }

  @Test
  default void theSameIdWithOtherContent_isRefused() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "one"));

    assertReused(session, append("turn-1", "other"));
    assertReused(session, append("turn-1", "one", "two"));
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  default void theSameIdWithOtherNotesOrAnotherStep_isRefused() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "one"));
    Draft noted = new Draft(Item.user("one"), Map.of("model", "m"));
    Commit otherNotes = Commit.appendDrafts(List.of(noted));
    Commit otherStep = Commit.removeItem(Items.position(session, 0));

    assertReused(session, otherNotes.operationId("turn-1"));
    assertReused(session, otherStep.operationId("turn-1"));
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  default void otherIdsAndNoIds_areNotRepeats() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "same"));
    session.commit(append("turn-2", "same"));
    session.commit(append("TURN-1", "same"));
    session.addItems(Items.of("same"));
    session.addItems(Items.of("same"));

    assertThat(session.getItems()).hasSize(5);
  }

  @Test
  default void anOperationId_belongsToOneSession() {
    SessionKey key = new SessionKey("ann", "shared");
    StoredSession session = store().session(key);
    StoredSession sameIdOtherOwner = store().session(new SessionKey("bob", "shared"));
    StoredSession otherId = store().session(new SessionKey("ann", "other"));
    session.commit(append("turn-1", "one"));
    sameIdOtherOwner.commit(append("turn-1", "two"));
    otherId.commit(append("turn-1", "three"));

    assertThat(sameIdOtherOwner.getItems()).isEqualTo(Items.of("two"));
    assertThat(otherId.getItems()).isEqualTo(Items.of("three"));
  }

  @Test
  default void aRepeat_isKnownAfterLaterWrites() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "one"));
    session.addItems(Items.of("two"));
    session.commit(append("turn-3", "three"));

    assertThat(session.commit(append("turn-1", "one")).repeated()).isTrue();
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two", "three"));
  }

  @Test
  default void aRepeat_isKnownAfterItsItemsWerePopped() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "one"));
    session.popItem();

    assertThat(session.commit(append("turn-1", "one")).repeated()).isTrue();
    assertThat(session.getItems()).isEmpty();
  }

  @Test
  default void aRepeat_succeedsAlthoughItsExpectedVersionHasPassed() {
    StoredSession session = newSession();
    session.addItems(Items.of("zero"));
    long version = session.info().orElseThrow().version();
    Commit turn = append("turn-1", "one").expectVersion(version);
    session.commit(turn);

    assertThat(session.commit(turn).repeated()).isTrue();
    assertThat(session.getItems()).isEqualTo(Items.of("zero", "one"));
  }

  @Test
  default void aRefusedWrite_doesNotUseUpItsId() {
    StoredSession session = newSession();
    session.addItems(Items.of("zero"));

    assertConflict(session, append("turn-1", "one").expectVersion(Long.MAX_VALUE), false);
    assertThat(session.commit(append("turn-1", "another")).repeated()).isFalse();
    assertThat(session.getItems()).isEqualTo(Items.of("zero", "another"));
  }

  @Test
  default void replacementsAndRemovals_canBeRepeatedToo() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three"));
    Commit compact =
        Commit.replacePrefix(Items.position(session, 1), Items.of("sum")).operationId("compact");
    session.commit(compact);
    assertThat(session.commit(compact).repeated()).isTrue();
    assertThat(session.getItems()).isEqualTo(Items.of("sum", "three"));

    Commit remove = Commit.removeItem(Items.position(session, 1)).operationId("remove");
    session.commit(remove);
    assertThat(session.commit(remove).repeated()).isTrue();

    Commit undo = Commit.replaceSuffix(Items.of("sum"), Items.of("x")).operationId("undo");
    session.commit(undo);
    assertThat(session.commit(undo).repeated()).isTrue();
    assertThat(session.getItems()).isEqualTo(Items.of("x"));
  }

  @Test
  default void clearSession_forgetsOperationIds() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "one"));
    session.clearSession();

    assertThat(session.commit(append("turn-1", "one")).repeated()).isFalse();
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    session.clearSession();
    session.commit(append("turn-1", "other"));
    assertThat(session.getItems()).isEqualTo(Items.of("other"));
  }

  @Test
  default void anOperationId_isRememberedForADay() {
    StoredSession session = newSession();
    session.commit(append("turn-1", "one"));
    clock().advance(Duration.ofHours(12));
    session.commit(append("turn-2", "two"));
    clock().advance(Duration.ofHours(12).minusSeconds(1));
    store().sweep(1000);

    assertThat(session.commit(append("turn-1", "one")).repeated()).isTrue();
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void operationIds_mayHoldAnyText() {
    StoredSession session = newSession();
    List<String> ids = List.of("%", "_", "a'b", "a\"b", "😀", "a:b", "..", "x".repeat(512));
    for (String id : ids) {
      assertThat(session.commit(append(id, "text of " + id)).repeated()).isFalse();
      assertThat(session.commit(append(id, "text of " + id)).repeated()).isTrue();
    }

    assertThat(session.getItems()).hasSize(ids.size());
  }

  @Test
  default void aRepeatByManyThreadsAtOnce_writesOnce() {
    StoredSession session = newSession();
    List<Boolean> repeated =
        Crowd.of(8, thread -> session.commit(append("turn-1", "one", "two")).repeated());

    assertThat(repeated).containsOnlyOnce(false);
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  private static Commit append(String operationId, String... texts) {
    return Commit.append(Items.of(texts)).operationId(operationId);
  }

  private static void assertReused(StoredSession session, Commit transaction) {
    assertConflict(session, transaction, true);
  }

  private static void assertConflict(
      StoredSession session, Commit transaction, boolean operationReused) {
    assertThatThrownBy(() -> session.commit(transaction))
        .isInstanceOfSatisfying(
            ClewException.VersionConflict.class,
            conflict -> assertThat(conflict.operationReused()).isEqualTo(operationReused));
  }
}
