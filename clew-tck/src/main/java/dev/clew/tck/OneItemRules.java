package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** C15: removing or replacing one item. */
@Rule(
    "replaceItem and removeItem touch the entry at one position and no other; a "
        + "position that has none is a VersionConflict")
interface OneItemRules extends StoreFixture {

  @Test
  default void removeItem_takesOutTheItemAtThePosition() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    List<Long> at = Items.positions(session);
    session.commit(Commit.removeItem(at.get(1)));

    assertThat(session.getItems()).isEqualTo(Items.of("a", "c"));
    assertThat(Items.positions(session)).containsExactly(at.get(0), at.get(2));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(2);
  }

  @Test
  default void removeItem_ofTheFirstTheLastAndTheOnlyOne() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    session.commit(Commit.removeItem(Items.position(session, 0)));
    assertThat(session.getItems()).isEqualTo(Items.of("b", "c"));
    session.commit(Commit.removeItem(Items.position(session, 1)));
    assertThat(session.getItems()).isEqualTo(Items.of("b"));
    session.commit(Commit.removeItem(Items.position(session, 0)));

    assertThat(session.getItems()).isEmpty();
    assertThat(session.info()).isPresent();
  }

  @Test
  default void replaceItem_putsAnotherItemAtTheSamePosition() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    List<Long> at = Items.positions(session);
    Draft draft = new Draft(Item.user("B"), Map.of("edited", true));
    session.commit(Commit.replaceItem(at.get(1), draft));

    assertThat(session.getItems()).isEqualTo(Items.of("a", "B", "c"));
    assertThat(Items.positions(session)).isEqualTo(at);
    assertThat(Items.entries(session).get(1).notes()).isEqualTo(draft.notes());
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(3);
  }

  @Test
  default void replaceItem_atTheEnd_isWhatPopReturns() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.commit(Commit.replaceItem(Items.position(session, 1), Draft.of(Item.user("B"))));

    assertThat(session.getItems(1)).isEqualTo(Items.of("B"));
    assertThat(session.popItem()).contains(Item.user("B"));
  }

  @Test
  default void removingOrReplacingAtAPositionThatIsNotThere_isRefused() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    long gone = Items.position(session, 1);
    session.popItem();
    SessionInfo before = session.info().orElseThrow();
    for (long position : List.of(gone, gone + 1000, Long.MIN_VALUE, Long.MAX_VALUE)) {
      assertConflict(session, Commit.removeItem(position));
      assertConflict(session, Commit.replaceItem(position, Draft.of(Item.user("x"))));
    }

    assertThat(session.info()).contains(before);
    assertThat(session.getItems()).isEqualTo(Items.of("a"));
  }

  @Test
  default void removingOrReplacingInASessionThatDoesNotExist_isRefused() {
    StoredSession session = newSession();
    assertConflict(session, Commit.removeItem(1));
    assertConflict(session, Commit.replaceItem(1, Draft.of(Item.user("x"))));

    assertThat(session.info()).isEmpty();
  }

  @Test
  default void removingOrReplacingAnArchivedItem_isRefused() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    long archived = Items.position(session, 0);
    session.commit(Commit.replacePrefix(archived, Items.of("sum")));

    assertConflict(session, Commit.removeItem(archived));
    assertConflict(session, Commit.replaceItem(archived, Draft.of(Item.user("x"))));
    assertThat(session.getItems()).isEqualTo(Items.of("sum", "b"));
  }

  @Test
  default void anItem_canBeReplacedAndRemovedByItsOwnId() {
    StoredSession session = newSession();
    session.addItems(List.of(Items.withId("msg_1", "one"), Items.withId("msg_2", "two")));
    Item edited = Items.withId("msg_1", "edited");

    assertThat(session.replaceItem("msg_1", edited)).isTrue();
    assertThat(session.removeItem("msg_2")).isTrue();
    assertThat(session.removeItem("msg_2")).isFalse();
    assertThat(session.replaceItem("msg_3", edited)).isFalse();
    assertThat(session.getItems()).isEqualTo(List.of(edited));
  }

  @Test
  default void find_followsAReplacementToItsNewId() {
    StoredSession session = newSession();
    session.addItems(List.of(Items.withId("old_id", "one"), Item.user("two")));
    Entry before = session.find("old_id").orElseThrow();
    session.replaceItem("old_id", Items.withId("new_id", "one"));

    assertThat(session.find("old_id")).isEmpty();
    assertThat(session.find("new_id").map(Entry::position)).contains(before.position());
  }

  @Test
  default void removingAndReplacing_updateTheSession() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    clock().advance(Duration.ofMinutes(1));
    session.commit(Commit.replaceItem(Items.position(session, 0), Draft.of(Item.user("A"))));
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(clock().instant());

    clock().advance(Duration.ofMinutes(1));
    session.commit(Commit.removeItem(Items.position(session, 0)));
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(clock().instant());
  }

  private static void assertConflict(StoredSession session, Commit transaction) {
    assertThatThrownBy(() -> session.commit(transaction))
        .isInstanceOf(ClewException.VersionConflict.class);
  }
}
