package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the handle adds to its store. */
class StoredSessionTest {
  private static final Item USER = Item.user("u");
  private static final Item MODEL = Item.assistant("a");
  private static final Item SYSTEM = Item.system("s");

  private final MemoryStore store = new MemoryStore();
  private final StoredSession session = store.session("s");

  @Test
  void undoTurnRemovesFromTheLastUserMessageOn() {
    session.addItems(List.of(SYSTEM, USER, MODEL, USER, MODEL, MODEL));

    assertThat(session.undoTurn()).containsExactly(USER, MODEL, MODEL);
    assertThat(session.undoTurn()).containsExactly(USER, MODEL);
    assertThat(session.getItems()).containsExactly(SYSTEM);
  }

  @Test
  void undoTurnLeavesAHistoryWithoutAUserMessageAlone() {
    session.addItems(List.of(SYSTEM, MODEL));

    assertThat(session.undoTurn()).isEmpty();
    assertThat(session.getItems()).containsExactly(SYSTEM, MODEL);
    assertThat(store.session("absent").undoTurn()).isEmpty();
  }

  @Test
  void undoTurnFindsTheBeginningOfALongTurn() {
    List<Item> turn = new ArrayList<>(List.of(USER));
    for (int i = 0; i < 200; i++) {
      turn.add(Item.assistant("step " + i));
    }
    session.addItems(List.of(USER, MODEL));
    session.addItems(turn);

    assertThat(session.undoTurn()).isEqualTo(turn);
    assertThat(session.getItems()).containsExactly(USER, MODEL);
  }

  @Test
  void itemsAreFoundReplacedAndRemovedByTheirOwnId() {
    Item item = Item.parse("{\"id\":\"m1\",\"role\":\"user\",\"content\":\"x\"}");
    Item edited = Item.parse("{\"id\":\"m2\",\"role\":\"user\",\"content\":\"y\"}");
    session.commit(
        Commit.appendDrafts(
            List.of(Draft.of(SYSTEM), new Draft(item, Map.of("k", 1)), Draft.of(MODEL))));

    assertThat(session.replaceItem("m1", edited)).isTrue();
    assertThat(session.getItems()).containsExactly(SYSTEM, edited, MODEL);
    assertThat(session.find("m2").orElseThrow().notes()).containsEntry("k", 1L);
    assertThat(session.find("m1")).isEmpty();
    assertThat(session.replaceItem("m1", item)).isFalse();
    assertThat(session.removeItem("m2")).isTrue();
    assertThat(session.removeItem("m2")).isFalse();
    assertThat(session.getItems()).containsExactly(SYSTEM, MODEL);
  }

  @Test
  void aForkBelongsToTheSameOwnerAndKeepsTheSettings() {
    SessionKey key = new SessionKey("ann", "s");
    StoredSession source = store.session(key).with(SessionSettings.limit(1));
    source.addItems(List.of(USER, MODEL, SYSTEM));
    long upTo = source.entries(Range.first(2)).entries().get(1).position();

    StoredSession fork = source.fork("t", upTo);

    assertThat(fork.key()).isEqualTo(new SessionKey("ann", "t"));
    assertThat(fork.getItems()).containsExactly(MODEL);
    assertThat(fork.getItems(9)).containsExactly(USER, MODEL);
    assertThat(fork.info().orElseThrow().parent()).contains(new SessionInfo.Parent(key, upTo));
    assertThatThrownBy(() -> source.fork("t", upTo))
        .isInstanceOf(ClewException.VersionConflict.class);
  }

  @Test
  void aHandleTouchesNothingUntilItIsUsed() {
    store.close();
    StoredSession handle = store.session("other");

    assertThat(handle.id()).isEqualTo("other");
    assertThat(handle).hasToString("session 'other'");
    assertThat(store.session(new SessionKey("ann", "x"))).hasToString("session 'x' of owner 'ann'");
    assertThatThrownBy(handle::getItems).isInstanceOf(ClewException.Closed.class);
  }

  @Test
  void anEmptyAddDoesNotEvenReachTheStore() {
    store.close();

    session.addItems(List.of());
    assertThatThrownBy(() -> session.addItems(List.of(USER)))
        .isInstanceOf(ClewException.Closed.class);
  }

  @Test
  void aWindowOfAllIgnoresTheDefaultLimit() {
    StoredSession limited = session.with(SessionSettings.limit(1));
    limited.addItems(List.of(USER, MODEL, USER));

    assertThat(limited.getItems()).containsExactly(USER);
    assertThat(Window.all().read(limited)).containsExactly(USER, MODEL, USER);
  }
}
