package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Role;
import dev.clew.SessionSettings;
import dev.clew.View;
import dev.clew.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run reads of a history, what it shows the model and what it leaves behind. */
interface HistoryRules extends RunFixture {
  @Test
  default void aSecondTurnSeesTheFirst() {
    model().says("San Francisco").says("California");

    assertThat(runner().run(guide(), "What city?", session()).finalOutput())
        .isEqualTo("San Francisco");
    assertThat(runner().run(guide(), "What state?", session()).finalOutput())
        .isEqualTo("California");

    assertThat(model().lastInput())
        .containsExactly(
            Item.user("What city?"), Item.assistant("San Francisco"), Item.user("What state?"));
    assertThat(session().getItems()).hasSize(4);
    assertThat(model().requests.get(0).instructions()).isEqualTo("Be brief.");
  }

  @Test
  default void whatAnotherFrameworkKeepsForItselfIsStoredAndNotShown() {
    Item event = Item.parse("{\"type\":\"adk_event\",\"n\":1}");
    Item ofTomorrow = Item.parse("{\"type\":\"hologram_call\",\"id\":\"h_1\"}");
    session().addItems(List.of(Item.user("a"), event, ofTomorrow, Item.assistant("b")));
    model().says("d");

    runner().run(guide(), "c", session());

    assertThat(model().lastInput())
        .containsExactly(Item.user("a"), ofTomorrow, Item.assistant("b"), Item.user("c"));
    assertThat(session().getItems()).contains(event);
  }

  @Test
  default void anErrorOfTheModelLeavesTheInputAndWhatWasDone() {
    model().calls("get_weather", "{\"name\":\"Oslo\"}").fails("overloaded");

    assertThatThrownBy(() -> runner().run(guide(), "Weather?", session()))
        .isInstanceOf(ClewException.ModelFailed.class);

    assertThat(session().getItems()).hasSize(3);
  }

  @Test
  default void aRunThatNeverAnswersEndsAfterItsTurns() {
    for (int i = 0; i < 10; i++) {
      model().calls("get_weather", "{\"name\":\"Oslo\"}");
    }

    assertThatThrownBy(() -> runner().run(guide(), "Weather?", session()))
        .isInstanceOf(ClewException.MaxTurnsExceeded.class)
        .hasMessageContaining("10 times");

    assertThat(session().getItems()).hasSize(21);
  }

  @Test
  default void theCallbackDecidesWhatTheModelSeesAndOnlyTheNewIsStored() {
    model().says("one").says("two").says("three").says("four").says("five").says("six");
    run(config(), "a");

    run(config().sessionInputCallback((history, fresh) -> fresh), "b");
    assertThat(model().lastInput()).containsExactly(Item.user("b"));

    run(
        config()
            .sessionInputCallback(
                (history, fresh) -> {
                  List<Item> all = new ArrayList<>(history);
                  all.addAll(fresh);
                  all.addAll(fresh);
                  Collections.reverse(all);
                  history.clear();
                  return all;
                }),
        "c");
    assertThat(model().lastInput()).hasSize(6).startsWith(Item.user("c"), Item.user("c"));

    run(
        config()
            .sessionInputCallback(
                (history, fresh) -> List.of(Item.system("summary"), Item.user("D!"))),
        "d");
    run(config().sessionInputCallback((history, fresh) -> history), "dropped");
    run(config(), "a");

    assertThat(RunFixture.texts(session().getItems()))
        .containsExactly("a", "one", "b", "two", "c", "three", "D!", "four", "five", "a", "six");
  }

  @Test
  default void orphansAreLeftOutOfTheInputAndKept() {
    session()
        .addItems(
            List.of(
                Item.user("before"),
                Item.functionCall("lost", "get_weather", "{}"),
                Item.functionCallOutput("stray", "x"),
                Item.parse("{\"type\":\"reasoning\",\"summary\":[]}"),
                Item.functionCall("lost2", "get_weather", "{}")));
    model().says("hello");

    runner().run(guide(), "now", session());

    assertThat(model().lastInput()).containsExactly(Item.user("before"), Item.user("now"));
    assertThat(session().getItems()).hasSize(7);
  }

  @Test
  default void aWindowShowsTheNewestTurns() {
    model().says("1").says("2").says("3");
    run(config(), "a");
    run(config(), "b");
    run(config().window(Window.lastTurns(1)), "c");

    assertThat(RunFixture.texts(model().lastInput())).containsExactly("b", "2", "c");
  }

  @Test
  default void whatIsDoneWhenTheTurnBegins_isDoneOnceAndBeforeTheHistoryIsRead() {
    model().says("1");
    run(config().whenTurnBegins(() -> session().addItems(List.of(Item.user("before")))), "now");

    assertThat(RunFixture.texts(model().lastInput())).containsExactly("before", "now");
    assertThat(session().getItems()).hasSize(3);
  }

  @Test
  default void withoutItemsOfTheHistoryAskedForNoneAreShown() {
    session().addItems(List.of(Item.user("old")));
    model().says("ok");
    run(config().sessionSettings(SessionSettings.limit(0)), "now");
    assertThat(model().lastInput()).containsExactly(Item.user("now"));
  }

  @Test
  default void aRunStartsAtTheNewestCompaction() {
    Item compaction = Item.parse("{\"type\":\"compaction\",\"encrypted_content\":\"x\"}");
    session()
        .addItems(
            List.of(
                Item.user("old"),
                Item.assistant("older"),
                Item.user("left as it was"),
                compaction,
                Item.user("new")));
    model().says("ok");
    runner().run(guide(), "now", session());
    assertThat(model().lastInput())
        .containsExactly(
            Item.user("left as it was"), compaction, Item.user("new"), Item.user("now"));
  }

  @Test
  default void rolesOfTheInputAreKept() {
    model().says("ok");
    runner()
        .run(guide(), RunInput.items(List.of(Item.developer("rule"), Item.user("hi"))), config());
    assertThat(session().getItems())
        .extracting(item -> ((View.Message) item.view()).role())
        .containsExactly(Role.DEVELOPER, Role.USER, Role.ASSISTANT);
  }

  @Test
  default void aSessionAndAConversationIdTogetherAreRefused() {
    assertThatThrownBy(() -> run(config().conversationId("conv_1"), "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("drop conversationId");
    assertThat(session().getItems()).isEmpty();
  }
}
