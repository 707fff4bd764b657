package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tools: what they are given, what becomes of their answers, how long they may take. */
interface ToolRules extends RunFixture {
  @Test
  default void aToolIsCalledAndEveryStepIsStored() {
    model().calls("get_weather", "{\"name\":\"Oslo\"}").says("It is sunny.");

    RunResult result = runner().run(guide(), "Weather in Oslo?", session());

    List<Item> turn =
        List.of(
            Item.user("Weather in Oslo?"),
            Item.functionCall("call_1", "get_weather", "{\"name\":\"Oslo\"}"),
            Item.functionCallOutput("call_1", "sunny in Oslo"),
            Item.assistant("It is sunny."));
    assertThat(session().getItems()).isEqualTo(turn);
    assertThat(result.toInputList()).isEqualTo(turn);
    assertThat(result.newItems()).isEqualTo(turn.subList(1, 4));
    assertThat(result.requests()).hasSize(2);
    assertThat(result.usage().requests()).isEqualTo(2);
    assertThat(result.lastResponseId()).contains("resp_2");
  }

  @Test
  default void whatAToolThrowsIsAnOutputTheModelCanRead() {
    Agent failing =
        newGuide()
            .tools(
                Tool.of(
                    "book",
                    "Books",
                    City.class,
                    c -> {
                      throw new IllegalStateException("no rooms in " + c.name());
                    }))
            .build();
    model().calls("book", "{\"name\":\"Oslo\"}").says("There are no rooms.");

    runner().run(failing, "Book", session());

    assertThat(RunFixture.text(session().getItems().get(2))).contains("no rooms in Oslo");
  }

  @Test
  default void argumentsThatDoNotFitNeverReachTheTool() {
    model()
        .calls("get_weather", "{}")
        .calls("get_weather", "not json")
        .calls("get_weather", "{\"name\":\"x\",\"land\":\"y\"}")
        .calls("nonsense", "{}")
        .says("Sorry.");

    runner().run(guide(), "Weather?", session());

    List<Item> items = session().getItems();
    assertThat(RunFixture.text(items.get(2))).contains("'name' is missing");
    assertThat(RunFixture.text(items.get(4))).contains("not valid JSON");
    assertThat(RunFixture.text(items.get(6))).contains("land");
    assertThat(RunFixture.text(items.get(8))).contains("there is no tool 'nonsense'");
  }

  @Test
  default void aToolThatTakesTooLongIsGivenUp() {
    CountDownLatch never = new CountDownLatch(1);
    Agent slow =
        newGuide()
            .tools(
                Tool.of("wait", "Waits", City.class, c -> never.await(1, TimeUnit.HOURS))
                    .timeout(Duration.ofMillis(20)))
            .build();
    model().calls("wait", "{\"name\":\"x\"}").says("It took too long.");

    runner().run(slow, "Wait", session());

    assertThat(RunFixture.text(session().getItems().get(2))).contains("took longer than PT0.02S");
  }

  @Test
  default void parallelCallsRunAtTheSameTimeAndAnswerInOrder() {
    CountDownLatch both = new CountDownLatch(2);
    Agent parallel =
        newGuide()
            .tools(
                Tool.of(
                    "meet",
                    "Meets",
                    City.class,
                    c -> {
                      both.countDown();
                      return both.await(10, TimeUnit.SECONDS) ? c.name() : "alone";
                    }))
            .build();
    model()
        .answers(
            Item.functionCall("a", "meet", "{\"name\":\"one\"}"),
            Item.functionCall("b", "meet", "{\"name\":\"two\"}"))
        .says("done");

    runner().run(parallel, "Meet", session());

    assertThat(session().getItems().subList(3, 5))
        .containsExactly(Item.functionCallOutput("a", "one"), Item.functionCallOutput("b", "two"));
  }

  @Test
  default void theOutputOfAToolCanBeTheAnswer() {
    Agent direct = newGuide().toolUse(ToolUse.stopAt("get_weather")).build();
    model().calls("get_weather", "{\"name\":\"Oslo\"}");

    assertThat(runner().run(direct, "Weather?", session()).finalOutput())
        .isEqualTo("sunny in Oslo");
    assertThat(session().getItems()).hasSize(3);
  }
}
