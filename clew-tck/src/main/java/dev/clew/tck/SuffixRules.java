package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.StoredSession;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replacing the end of a history: undo, edit, regenerate. */
@Rule(
    "replaceSuffix compares the newest items with those expected, and either replaces "
        + "exactly them in one commit or throws VersionConflict")
interface SuffixRules extends StoreFixture {

  @Test
  default void replaceSuffix_putsOthersInThePlaceOfTheNewest() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    Receipt receipt =
        session.commit(Commit.replaceSuffix(Items.of("b", "c"), Items.of("B", "C", "D")));

    assertThat(session.getItems()).isEqualTo(Items.of("a", "B", "C", "D"));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(4);
    assertThat(receipt.firstPosition()).hasValue(Items.position(session, 1));
    assertThat(receipt.lastPosition()).hasValue(Items.position(session, 3));
  }

  @Test
  default void replaceSuffix_byNothing_removesTheNewest() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    session.commit(Commit.replaceSuffix(Items.of("b", "c"), List.of()));

    assertThat(session.getItems()).isEqualTo(Items.of("a"));
    assertThat(session.entries(Range.first(10).withCompacted()).items()).isEqualTo(Items.of("a"));
  }

  @Test
  default void replaceSuffix_ofTheWholeHistory() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.commit(Commit.replaceSuffix(Items.of("a", "b"), Items.of("x")));

    assertThat(session.getItems()).isEqualTo(Items.of("x"));
  }

  @Test
  default void replaceSuffix_leavesThePositionsBeforeIt() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    List<Long> before = Items.positions(session);
    session.commit(Commit.replaceSuffix(Items.of("c"), Items.of("C")));

    List<Long> after = Items.positions(session);
    assertThat(after).startsWith(before.get(0), before.get(1)).isSorted();
    assertThat(after.get(2)).isGreaterThan(before.get(2));
  }

  @Test
  default void replaceSuffix_ofAnythingButTheExactEnd_isRefused() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    List<List<Item>> wrong =
        List.of(
            Items.of("b"),
            Items.of("x", "c"),
            Items.of("c", "b"),
            Items.of("c", "c"),
            Items.of("0", "a", "b", "c"),
            List.of(Item.assistant("c")));
    for (List<Item> expected : wrong) {
      assertConflict(session, Commit.replaceSuffix(expected, Items.of("X")));
    }

    assertThat(session.getItems()).isEqualTo(Items.of("a", "b", "c"));
  }

  @Test
  default void replaceSuffix_refusesIfSomebodyAppendedMeanwhile() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    session.addItems(Items.of("meanwhile"));

    assertConflict(session, Commit.replaceSuffix(Items.of("b"), List.of()));
    assertThat(session.getItems()).isEqualTo(Items.of("a", "b", "meanwhile"));
  }

  @Test
  default void replaceSuffix_ofASessionThatDoesNotExist_isRefused() {
    StoredSession session = newSession();
    assertConflict(session, Commit.replaceSuffix(Items.of("a"), Items.of("b")));

    assertThat(session.info()).isEmpty();
  }

  @Test
  default void undoTurn_removesTheLastUserMessageAndWhatFollowedIt() {
    StoredSession session = newSession();
    List<Item> first = List.of(Item.user("q1"), Item.assistant("a1"));
    List<Item> second =
        List.of(
            Item.user("q2"),
            Item.functionCall("c1", "f", "{}"),
            Item.functionCallOutput("c1", "done"),
            Item.assistant("a2"));
    session.addItems(first);
    session.addItems(second);

    assertThat(session.undoTurn()).isEqualTo(second);
    assertThat(session.getItems()).isEqualTo(first);
    assertThat(session.undoTurn()).isEqualTo(first);
    assertThat(session.undoTurn()).isEmpty();
    assertThat(session.getItems()).isEmpty();
  }

  private static void assertConflict(StoredSession session, Commit transaction) {
    assertThatThrownBy(() -> session.commit(transaction))
        .isInstanceOf(ClewException.VersionConflict.class);
  }
}
