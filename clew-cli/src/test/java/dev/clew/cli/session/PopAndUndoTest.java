package dev.clew.cli.session;

import static dev.clew.cli.Shell.object;
import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.kit.MadeTitles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PopAndUndoTest {
  private static final List<Item> FIRST = List.of(Item.user("one"), Item.assistant("1"));
  private static final List<Item> SECOND =
      List.of(
          Item.user("two"),
          Item.functionCall("c", "count", "{}"),
          Item.functionCallOutput("c", "2"),
          Item.assistant("2"));

  private final Shell shell = new Shell();
  private StoredSession session;

  @BeforeEach
  void makeTwoTurns() {
    session = shell.store.session("s");
    session.addItems(FIRST);
    session.addItems(SECOND);
  }

  @Test
  void pop_removesTheNewestItemAndPrintsIt() {
    Result result = shell.run("pop", "s", "--yes");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("removed from session 's'", "assistant", "  2\n");
    assertThat(session.getItems()).hasSize(5);
  }

  @Test
  void pop_asJsonHasTheItemAsItWas() {
    Result result = shell.run("pop", "s", "-y", "--json");
    assertThat(result.json()).containsOnlyKeys("id", "owner", "removed");
    assertThat(object(result.json(), "removed")).containsKeys("position", "item");
    assertThat(result.out()).contains(SECOND.get(3).json());
  }

  @Test
  void undo_removesTheWholeLastTurn() {
    Result result = shell.run("undo", "s", "--yes");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("4 items", "user\n  two", "→ count");
    assertThat(session.getItems()).isEqualTo(FIRST);
    Result first = shell.run("undo", "s", "--yes", "--json");
    assertThat(first.json()).containsOnlyKeys("id", "owner", "removed");
    assertThat(objects(first.json(), "removed")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"undo", "pop"})
  void aTitleThatAServerMadeGoesWithTheLastItem_andAChosenOneStays(String command) {
    for (String chosen : List.of("", "Numbers")) {
      StoredSession made = shell.store.session("made" + chosen);
      Map<String, String> mark = Map.of("title", MadeTitles.mark("one"));
      made.update(SessionUpdate.none().title("one").metadata(Map.of(MadeTitles.KEY, mark)));
      made.addItems(List.of(FIRST.get(0)));
      if (!chosen.isEmpty()) {
        made.update(SessionUpdate.none().title(chosen));
      }
      assertThat(shell.run(command, made.id(), "--yes").code()).isZero();
      assertThat(made.info().orElseThrow().title()).isEqualTo(chosen);
    }
  }

  @Test
  void undo_saysInItsQuestionHowMuchGoes() {
    List<Item> longTurn = new ArrayList<>(List.of(Item.user("three")));
    for (int i = 0; i < 149; i++) {
      longTurn.add(Item.assistant("step " + i));
    }
    session.addItems(longTurn);
    Result result = shell.onTerminal("yes").run("undo", "s");
    assertThat(result.err()).contains("150 items", "user: three");
    assertThat(session.getItems()).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pop", "undo"})
  void withoutATerminalItWantsYes(String command) {
    Result result = shell.run(command, "s");
    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.err()).contains("--yes").hasLineCount(1);
    assertThat(shell.opened).isEmpty();
    assertThat(session.getItems()).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pop", "undo"})
  void onATerminalItAsks(String command) {
    Result no = shell.onTerminal("n").run(command, "s");
    assertThat(no.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(no.err()).contains("[y/N]", "nothing was removed");
    assertThat(session.getItems()).hasSize(6);
    assertThat(shell.onTerminal("y").run(command, "s").code()).isZero();
    assertThat(session.getItems()).hasSizeLessThan(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pop", "undo"})
  void whatArrivesDuringTheQuestionIsNotRemoved(String command) {
    shell.onTerminal("y").whileAsked(() -> session.addItems(List.of(Item.user("new"))));
    Result result = shell.run(command, "s");
    assertThat(result.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(result.err()).contains("changed in the meantime");
    assertThat(session.getItems()).hasSize(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pop", "undo"})
  void anUnknownOrEmptySessionIsNotFound(String command) {
    assertThat(shell.run(command, "nowhere", "--yes").code()).isEqualTo(ExitCode.NOT_FOUND);
    session.getItems().forEach(item -> session.popItem());
    assertThat(shell.run(command, "s", "--yes").code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.onTerminal("y").run(command, "s").code()).isEqualTo(ExitCode.NOT_FOUND);
  }
}
