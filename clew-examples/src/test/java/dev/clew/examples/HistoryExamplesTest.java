package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Range;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of reading and changing what is stored. */
class HistoryExamplesTest {
  private final MemoryStore store = new MemoryStore();
  private final StoredSession session = store.session("chat");

  @AfterEach
  void close() {
    store.close();
  }

  private List<Item> addTurns(int turns) {
    for (int i = 1; i <= turns; i++) {
      session.addItems(List.of(Item.user("Question " + i), Item.assistant("Answer " + i)));
    }
    return session.getItems();
  }

  @Test
  void editHistory_takesBackWhatItAdded() {
    List<Item> before = addTurns(1);
    assertThat(EditHistory.addAndUndo(session)).isEqualTo("user");
    assertThat(session.getItems()).isEqualTo(before);
  }

  @Test
  void writeItems_storesATurnOfAllKinds() {
    WriteItems.addTurn(session);
    assertThat(session.getItems())
        .extracting(Item::type)
        .containsExactly(
            "message", "function_call", "function_call_output", "message", "from_the_future");
    assertThat(session.getItems().get(0).json()).contains("https://example.com/oslo.png");
    assertThat(session.getItems().get(4).json())
        .isEqualTo("{\"type\":\"from_the_future\",\"n\":0.10}");
  }

  @Test
  void undoItems_takesBackTheNewestFirstAndNoMoreThanThereAre() {
    List<Item> items = addTurns(2);
    assertThat(UndoItems.undo(session, 3))
        .containsExactly(items.get(3), items.get(2), items.get(1));
    assertThat(UndoItems.undo(session, 3)).containsExactly(items.get(0));
    assertThat(UndoItems.undo(session, 3)).isEmpty();
  }

  @Test
  void undoItems_takesBackAWholeTurn() {
    List<Item> items = new ArrayList<>(addTurns(1));
    WriteItems.addTurn(session);
    assertThat(UndoItems.undoTurn(session)).hasSize(5);
    assertThat(session.getItems()).isEqualTo(items);
  }

  @Test
  void regenerate_forgetsTheFirstAttempt() {
    MemorySession memory = new MemorySession();
    BasicSession.talk(memory);
    Regenerate.takeBackTurn(memory);

    assertThat(Regenerate.correct(memory, "My name is Grace."))
        .isEqualTo("Nice to meet you, Grace.");
    assertThat(memory.getItems())
        .containsExactly(
            Item.user("My name is Grace."), Item.assistant("Nice to meet you, Grace."));
    memory.clearSession();
    Regenerate.takeBackTurn(memory);
    assertThat(memory.getItems()).isEmpty();
  }

  @Test
  void clearWithConfirmation_asksOnlyIfThereIsSomethingAndKeepsItOnNo() {
    List<String> asked = new ArrayList<>();
    List<Item> items = addTurns(1);
    assertThat(ClearWithConfirmation.clear(session, question -> !asked.add(question)))
        .isEqualTo("Nothing was deleted.");
    assertThat(session.getItems()).isEqualTo(items);
    ClearWithConfirmation.clear(session, asked::add);
    assertThat(session.getItems()).isEmpty();
    ClearWithConfirmation.clear(session, asked::add);
    assertThat(asked).containsExactly("Delete 2 items?", "Delete 2 items?");
  }

  @Test
  void resetWithContext_leavesOnlyTheContextAndTheTitle() {
    addTurns(3);
    session.update(SessionUpdate.none().title("Moving"));
    ResetWithContext.reset(session, "Begin anew.");
    assertThat(session.getItems()).containsExactly(Item.system("Begin anew."));
    assertThat(session.info().orElseThrow().title()).isEqualTo("Moving");

    StoredSession fresh = store.session("fresh");
    ResetWithContext.reset(fresh, "Begin.");
    assertThat(fresh.getItems()).containsExactly(Item.system("Begin."));
  }

  @Test
  void manageHistory_keepsTheNewestWholeTurns() {
    List<Item> items = addTurns(10);
    assertThat(ManageHistory.trim(session, 5)).isTrue();
    assertThat(session.getItems()).isEqualTo(items.subList(16, 20));
    assertThat(ManageHistory.trim(session, 5)).isFalse();
    assertThat(session.entries(Range.first(100).withCompacted()).items()).isEqualTo(items);
    assertThat(ManageHistory.trim(store.session("absent"), 5)).isFalse();
  }

  @Test
  void showTranscript_hasALineForEachMessageAndTool() {
    WriteItems.addTurn(session);
    assertThat(ShowTranscript.lines(session))
        .containsExactly(
            "user: How is it here?",
            "system: [tool call: get_weather]",
            "system: [tool result: 4 degrees, rain]",
            "assistant: It rains at 4 degrees.");
  }

  @Test
  void exportImport_bringsBackExactlyTheSameInPlaceOfWhatWasThere(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("chat.jsonl");
    addTurns(2);
    session.addItems(
        List.of(
            Item.parse("{\"type\":\"x\", \"n\":1e400, \"t\":\"\\u4e2d 中\"}"),
            Item.user("two\nlines\u2028three")));
    ExportImport.exportTo(file, session);
    StoredSession copy = store.session("copy");
    copy.addItems(List.of(Item.user("old")));
    ExportImport.importFrom(file, copy);
    assertThat(copy.getItems()).isEqualTo(session.getItems());

    Files.writeString(file, "{\"type\":\"x\"}\nno item\n");
    assertThatThrownBy(() -> ExportImport.importFrom(file, copy))
        .isInstanceOf(ClewException.InvalidItem.class);
    assertThat(copy.getItems()).isEqualTo(session.getItems());
  }
}
