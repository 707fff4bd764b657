package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Runs that are watched while they go on, and stopped. */
interface StreamRules extends RunFixture {
  @Test
  default void aStreamedRunLeavesTheSameHistory() {
    model().calls("get_weather", "{\"name\":\"Oslo\"}").says("It is sunny.");

    List<RunEvent> events = new ArrayList<>();
    try (RunStream stream = runner().runStreamed(guide(), "Weather in Oslo?", session())) {
      stream.forEach(events::add);
      assertThat(stream.result().finalOutput()).isEqualTo("It is sunny.");
    }

    assertThat(session().getItems()).hasSize(4);
    assertThat(events)
        .containsSubsequence(
            new RunEvent.AgentStarted("Guide"),
            new RunEvent.ToolStarted("call_1", "get_weather", "{\"name\":\"Oslo\"}"),
            new RunEvent.ToolFinished("call_1", "get_weather", "sunny in Oslo", false),
            new RunEvent.TextDelta("It "),
            new RunEvent.TextDelta("is "),
            new RunEvent.TextDelta("sunny."));
    List<RunEvent.StepStored> steps =
        events.stream()
            .filter(RunEvent.StepStored.class::isInstance)
            .map(RunEvent.StepStored.class::cast)
            .toList();
    assertThat(steps.get(2).drafts().get(0).notes())
        .containsEntry("outcome", "done")
        .containsKey("duration_ms");
    assertThat(steps.get(3).items()).containsExactly(Item.assistant("It is sunny."));
  }

  @Test
  default void aSlowReaderHoldsTheRunBack() {
    StringBuilder long1 = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      long1.append("word").append(i).append(' ');
    }
    model().says(long1.toString());
    List<String> words = new ArrayList<>();
    try (RunStream stream = runner().runStreamed(guide(), "Talk", session())) {
      for (RunEvent event : stream) {
        if (event instanceof RunEvent.TextDelta delta) {
          words.add(delta.text());
        }
      }
    }
    assertThat(String.join("", words)).isEqualTo(long1.toString());
  }

  @Test
  default void aCancelledStreamKeepsTheTextSoFarMarkedIncomplete() {
    RunStream stream = Runner.with(new Unfinished()).runStreamed(guide(), "Count", session());
    for (RunEvent event : stream) {
      if (event.equals(new RunEvent.TextDelta("two "))) {
        stream.cancel();
        break;
      }
    }
    stream.close();

    assertThatThrownBy(stream::result).isInstanceOf(CancellationException.class);
    List<Item> items = session().getItems();
    assertThat(items).hasSize(2);
    assertThat(items.get(1).json()).contains("\"status\":\"incomplete\"");
    assertThat(RunFixture.text(items.get(1))).isEqualTo("one two ");
  }

  @Test
  default void aStreamThatBreaksOffKeepsWhatCame_markedIncomplete() {
    Model broken =
        new Model() {
          @Override
          public ModelResponse respond(ModelRequest request) {
            throw new AssertionError("it only streams");
          }

          @Override
          public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
            listener.accept(new ModelEvent.TextDelta("one two"));
            throw new ClewException.ModelFailed("the connection broke", null, true);
          }
        };
    RunStream stream = Runner.with(broken).runStreamed(guide(), "Count", session());
    assertThatThrownBy(stream::result).isInstanceOf(ClewException.ModelFailed.class);
    List<Item> items = session().getItems();
    assertThat(items).hasSize(2);
    assertThat(items.get(1).json()).contains("\"status\":\"incomplete\"");
    assertThat(RunFixture.text(items.get(1))).isEqualTo("one two");
  }

  /** Says two words and no more. */
  final class Unfinished implements Model {
    @Override
    public ModelResponse respond(ModelRequest request) {
      throw new AssertionError("it only streams");
    }

    @Override
    public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
      listener.accept(new ModelEvent.TextDelta("one "));
      listener.accept(new ModelEvent.TextDelta("two "));
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new ClewException.ModelFailed("interrupted", e, true);
      }
      return ModelResponse.of();
    }
  }

  @Test
  default void aCancelledRunKeepsTheOutputsOfTheToolsThatWereDone() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    Agent parallel =
        newGuide()
            .tools(
                Tool.of(
                    "wait",
                    "Waits",
                    City.class,
                    c -> {
                      waiting.countDown();
                      new CountDownLatch(1).await();
                      return "never";
                    }))
            .build();
    model()
        .answers(
            Item.functionCall("a", "get_weather", "{\"name\":\"Oslo\"}"),
            Item.functionCall("b", "wait", "{\"name\":\"Oslo\"}"))
        .says("Now.");
    RunStream stream = runner().runStreamed(parallel, "Go", session());
    for (RunEvent event : stream) {
      if (event instanceof RunEvent.ToolFinished) {
        assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
        stream.cancel();
      }
    }
    assertThatThrownBy(stream::result).isInstanceOf(CancellationException.class);

    assertThat(session().getItems())
        .hasSize(4)
        .contains(Item.functionCallOutput("a", "sunny in Oslo"));
    runner().run(guide(), "And now?", session());
    assertThat(model().lastInput())
        .containsExactly(
            Item.user("Go"),
            Item.functionCall("a", "get_weather", "{\"name\":\"Oslo\"}"),
            Item.functionCallOutput("a", "sunny in Oslo"),
            Item.user("And now?"));
  }
}
