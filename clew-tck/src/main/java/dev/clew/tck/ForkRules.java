package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** C16: making a new session from the beginning of another. */
@Rule(
    "fork copies entries up to a position with their times and notes, the title, the "
        + "metadata, the tags and the time to live, and shares nothing with its source "
        + "afterwards (see SessionStore.fork)")
interface ForkRules extends StoreFixture {

  @Test
  default void fork_holdsTheHistoryUpToAndIncludingThePosition() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    StoredSession fork = session.fork("fork", Items.position(session, 1));

    assertThat(fork.getItems()).isEqualTo(Items.of("a", "b"));
    assertThat(fork.getItems(1)).isEqualTo(Items.of("b"));
    assertThat(fork.info().orElseThrow().itemCount()).isEqualTo(2);
    assertThat(session.getItems()).isEqualTo(Items.of("a", "b", "c"));
  }

  @Test
  default void fork_recordsItsParentAndThePosition() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    long upTo = Items.position(session, 0);
    SessionKey target = newKey();
    SessionInfo info = store().session(session.key()).forkTo(target, upTo);

    assertThat(info.key()).isEqualTo(target);
    assertThat(info.parent()).contains(new SessionInfo.Parent(session.key(), upTo));
    assertThat(store().session(target).info()).contains(info);
    assertThat(session.info().orElseThrow().parent()).isEmpty();
  }

  @Test
  default void forkAndSource_goOnIndependently() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    StoredSession fork = session.fork("fork", Items.position(session, 1));

    session.addItems(Items.of("only in the source"));
    fork.addItems(Items.of("only in the fork"));
    assertThat(session.getItems()).isEqualTo(Items.of("a", "b", "only in the source"));
    assertThat(fork.getItems()).isEqualTo(Items.of("a", "b", "only in the fork"));

    fork.popItem();
    fork.popItem();
    session.commit(Commit.replaceItem(Items.position(session, 0), Draft.of(Item.user("A"))));
    assertThat(session.getItems()).isEqualTo(Items.of("A", "b", "only in the source"));
    assertThat(fork.getItems()).isEqualTo(Items.of("a"));
  }

  @Test
  default void deletingTheSource_leavesTheFork() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    StoredSession fork = session.fork("fork", Items.position(session, 1));
    session.clearSession();

    assertThat(fork.getItems()).isEqualTo(Items.of("a", "b"));
    session.addItems(Items.of("anew"));
    assertThat(fork.getItems()).isEqualTo(Items.of("a", "b"));
  }

  @Test
  default void deletingTheFork_leavesTheSource() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.fork("fork", Items.position(session, 1)).clearSession();

    assertThat(session.getItems()).isEqualTo(Items.of("a", "b"));
  }

  @Test
  default void fork_keepsNotesAndTimesOfTheEntries() {
    StoredSession session = newSession();
    Draft draft = new Draft(Item.user("a"), Map.of("model", "m"));
    session.commit(Commit.appendDrafts(List.of(draft)));
    var added = clock().instant();
    clock().advance(Duration.ofHours(1));
    StoredSession fork = session.fork("fork", Items.position(session, 0));

    assertThat(Items.entries(fork).get(0).notes()).isEqualTo(draft.notes());
    assertThat(Items.entries(fork).get(0).addedAt()).isEqualTo(added);
    assertThat(fork.info().orElseThrow().createdAt()).isEqualTo(clock().instant());
  }

  @Test
  default void forkOfAFork_recordsTheForkAsItsParent() {
    StoredSession session = newSession();
    session.addItems(Items.of("a"));
    StoredSession fork = session.fork("fork", Items.position(session, 0));
    fork.addItems(Items.of("b"));
    StoredSession second = fork.fork("second", Items.position(fork, 1));

    assertThat(second.getItems()).isEqualTo(Items.of("a", "b"));
    assertThat(second.info().orElseThrow().parent().orElseThrow().key()).isEqualTo(fork.key());
  }

  @Test
  default void forkOfACompactedSession_holdsWhatIsLive() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c", "d"));
    session.commit(Commit.replacePrefix(Items.position(session, 1), Items.of("sum")));
    StoredSession fork = session.fork("fork", Items.position(session, 1));
    fork.addItems(Items.of("e"));

    assertThat(fork.getItems()).isEqualTo(Items.of("sum", "c", "e"));
    assertThat(Items.positions(fork)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  default void fork_takesOverWhatIsSaidOfTheSession_butIsNeitherPinnedNorArchived() {
    StoredSession session = newSession();
    session.addItems(Items.of("a"));
    SessionUpdate said =
        SessionUpdate.none()
            .title("a title")
            .metadata(Map.of("k", "v"))
            .tags(Set.of("t"))
            .timeToLive(Duration.ofDays(3));
    session.update(said.pinned(true).archived(true));

    SessionInfo info = store().session(session.key()).forkTo(newKey(), Items.position(session, 0));
    assertThat(info.title()).isEqualTo("a title");
    assertThat(info.metadata()).isEqualTo(Map.of("k", "v"));
    assertThat(info.tags()).containsExactly("t");
    assertThat(info.timeToLive()).contains(Duration.ofDays(3));
    assertThat(info.pinned()).isFalse();
    assertThat(info.archived()).isFalse();
    assertThat(store().session(info.key()).info()).contains(info);
  }

  @Test
  default void fork_intoASessionThatExists_isRefused() {
    StoredSession session = newSession();
    session.addItems(Items.of("a"));
    StoredSession target = newSession();
    target.update(SessionUpdate.none().title("taken"));
    long upTo = Items.position(session, 0);

    assertThatThrownBy(() -> store().session(session.key()).forkTo(target.key(), upTo))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThatThrownBy(() -> store().session(session.key()).forkTo(session.key(), upTo))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(target.getItems()).isEmpty();
    assertThat(target.info().orElseThrow().title()).isEqualTo("taken");
  }

  @Test
  default void fork_ofASessionThatDoesNotExist_isRefused() {
    SessionKey target = newKey();

    assertThatThrownBy(() -> store().session(newKey()).forkTo(target, 1))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(store().session(target).info()).isEmpty();
  }

  @Test
  default void anOperationIdOfTheSource_isNotARepeatInTheFork() {
    StoredSession session = newSession();
    session.addItems(Items.of("a"));
    long upTo = Items.position(session, 0);
    Commit turn = Commit.append(Items.of("b")).operationId("turn-1");
    session.commit(turn);
    StoredSession fork = session.fork("fork", upTo);

    assertThat(fork.commit(turn).repeated()).isFalse();
    assertThat(fork.getItems()).isEqualTo(Items.of("a", "b"));
  }
}
