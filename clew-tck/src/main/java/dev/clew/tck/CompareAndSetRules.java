package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.util.List;
import org.junit.jupiter.api.Test;

/** C13: versions, and writing only if they are what the caller expects. */
@Rule(
    "every change gives the session a higher version, and a transaction or an update "
        + "whose expectation does not hold throws VersionConflict and writes nothing")
interface CompareAndSetRules extends StoreFixture {

  @Test
  default void version_growsWithEveryChange() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three", "four"));
    List<Runnable> changes =
        List.of(
            () -> session.addItems(Items.of("five")),
            session::popItem,
            () -> session.update(SessionUpdate.none().title("a title")),
            () -> session.update(SessionUpdate.none().tags(java.util.Set.of("tag"))),
            () -> apply(session, Commit.removeItem(Items.position(session, 0))),
            () ->
                apply(
                    session,
                    Commit.replaceItem(Items.position(session, 0), Draft.of(Item.user("TWO")))),
            () -> apply(session, Commit.replaceSuffix(Items.of("four"), List.of())),
            () -> apply(session, Commit.replacePrefix(Items.position(session, 0), List.of())));
    for (int i = 0; i < changes.size(); i++) {
      long before = version(session);
      changes.get(i).run();
      assertThat(version(session)).as("after change %d", i).isGreaterThan(before);
    }
  }

  @Test
  default void version_doesNotChangeByReading() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    long before = version(session);
    session.getItems();
    Items.entries(session);
    session.find("msg_1");

    assertThat(version(session)).isEqualTo(before);
  }

  @Test
  default void version_doesNotGoBackWhenASessionIsClearedAndMadeAnew() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.addItems(Items.of("two"));
    session.popItem();
    long before = version(session);
    session.clearSession();
    session.addItems(Items.of("anew"));

    assertThat(version(session)).isGreaterThan(before);
  }

  @Test
  default void expectVersion_writesIfTheVersionIsTheExpectedOne() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.commit(append("two").expectVersion(version(session)));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void expectVersion_refusesAndWritesNothingIfAnybodyWroteMeanwhile() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    long seen = version(session);
    session.addItems(Items.of("meanwhile"));
    long now = version(session);

    assertConflict(session, append("two").expectVersion(seen));
    assertConflict(session, append("two").expectVersion(0));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "meanwhile"));
    assertThat(version(session)).isEqualTo(now);
  }

  @Test
  default void expectVersion_noticesPopsAndMetadata() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    long seen = version(session);
    session.popItem();
    assertConflict(session, append("three").expectVersion(seen));

    long seenAgain = version(session);
    session.update(SessionUpdate.none().title("meanwhile"));
    assertConflict(session, append("three").expectVersion(seenAgain));
  }

  @Test
  default void expectVersionZero_isForASessionThatDoesNotExist() {
    StoredSession session = newSession();
    session.commit(append("one").expectVersion(0));
    assertConflict(session, append("two").expectVersion(0));

    session.clearSession();
    session.commit(append("three").expectVersion(0));
    assertThat(session.getItems()).isEqualTo(Items.of("three"));
  }

  @Test
  default void expectVersion_ofASessionThatWasClearedMeanwhile_isRefused() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    long seen = version(session);
    session.clearSession();

    assertConflict(session, append("two").expectVersion(seen));
    assertThat(session.info()).isEmpty();
  }

  @Test
  default void expectVersion_holdsForReplacementsToo() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    long seen = version(session);
    session.addItems(Items.of("three"));
    long first = Items.position(session, 0);

    assertConflict(session, Commit.replacePrefix(first, Items.of("x")).expectVersion(seen));
    assertConflict(session, Commit.replaceSuffix(Items.of("three"), List.of()).expectVersion(seen));
    assertConflict(session, Commit.removeItem(first).expectVersion(seen));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two", "three"));
  }

  @Test
  default void expectTail_writesIfTheNewestItemStandsThere() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    session.commit(append("three").expectTail(Items.position(session, 1)));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two", "three"));
  }

  @Test
  default void expectTail_refusesIfAnotherItemIsTheNewest() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    long seen = Items.position(session, 1);
    assertConflict(session, append("three").expectTail(Items.position(session, 0)));

    session.popItem();
    assertConflict(session, append("three").expectTail(seen));
    session.addItems(Items.of("meanwhile"));
    assertConflict(session, append("three").expectTail(seen));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "meanwhile"));
  }

  @Test
  default void expectTail_isNotDisturbedByMetadata() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    long tail = Items.position(session, 0);
    session.update(SessionUpdate.none().title("renamed"));
    session.commit(append("two").expectTail(tail));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void expectTail_ofASessionWithoutItems_isRefused() {
    StoredSession session = newSession();
    assertConflict(session, append("one").expectTail(1));
    assertThat(session.info()).isEmpty();
  }

  @Test
  default void expectExisting_writesToASessionThatIsThere() {
    StoredSession session = newSession();
    session.update(SessionUpdate.none().title("no items yet"));
    session.commit(append("one").expectExisting());
    session.commit(append("two").expectExisting().operationId("second"));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void expectExisting_neverMakesASession() {
    StoredSession session = newSession();
    assertConflict(session, append("one").expectExisting());
    assertConflict(session, append("one").expectExisting().operationId("first"));
    assertThat(session.info()).isEmpty();
  }

  @Test
  default void expectExisting_refusesASessionThatWasDeletedMeanwhile() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.commit(append("two").expectExisting());
    session.clearSession();

    assertConflict(session, append("three").expectExisting());
    assertThat(session.info()).isEmpty();
  }

  @Test
  default void ofManyWritersWhoExpectTheSameVersion_oneSucceeds() {
    StoredSession session = newSession();
    session.addItems(Items.of("zero"));
    long seen = version(session);
    List<Boolean> won =
        Crowd.of(
            8,
            thread -> {
              try {
                session.commit(append("by " + thread).expectVersion(seen));
                return true;
              } catch (ClewException.VersionConflict e) {
                return false;
              }
            });

    assertThat(won).containsOnlyOnce(true);
    assertThat(session.getItems()).isEqualTo(Items.of("zero", "by " + won.indexOf(true)));
  }

  private static Commit append(String text) {
    return Commit.append(Items.of(text));
  }

  private static void apply(StoredSession session, Commit transaction) {
    assertThat(session.commit(transaction).repeated()).isFalse();
  }

  private static long version(StoredSession session) {
    return session.info().orElseThrow().version();
  }

  private static void assertConflict(StoredSession session, Commit transaction) {
    assertThatThrownBy(() -> session.commit(transaction))
        .isInstanceOf(ClewException.VersionConflict.class);
  }
}
