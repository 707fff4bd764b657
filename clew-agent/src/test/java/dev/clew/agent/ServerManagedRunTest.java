package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs whose history the provider keeps: only what it does not know yet is sent. */
class ServerManagedRunTest {
  record City(String name) {}

  private final Script model = new Script();
  private final Runner runner = Runner.with(model);
  private final Agent agent =
      Agent.builder()
          .name("Guide")
          .tools(
              Tool.of("find", "Finds", City.class, City::name),
              Tool.of("cancel", "Cancels", City.class, City::name).needingApproval())
          .build();

  private RunResult run(RunConfig config) {
    return runner.run(agent, RunInput.text("hi"), config);
  }

  @Test
  void inAConversationOnlyWhatIsNewIsSent() {
    model.calls("find", "{\"name\":\"Oslo\"}").says("Oslo");
    RunResult result = run(RunConfig.DEFAULT.conversationId("conv_1"));

    assertThat(model.requests.get(0).input()).containsExactly(Item.user("hi"));
    assertThat(model.lastInput()).containsExactly(Item.functionCallOutput("call_1", "Oslo"));
    assertThat(model.requests)
        .allSatisfy(
            request -> {
              assertThat(request.conversationId()).contains("conv_1");
              assertThat(request.previousResponseId()).isEmpty();
            });
    assertThat(result.newItems()).hasSize(3);
  }

  @Test
  void eachRequestFollowsTheResponseBefore() {
    model.calls("find", "{\"name\":\"Oslo\"}").says("Oslo");
    run(RunConfig.DEFAULT.previousResponseId("resp_0"));

    assertThat(model.requests)
        .extracting(ModelRequest::previousResponseId)
        .containsExactly(Optional.of("resp_0"), Optional.of("resp_1"));
    assertThat(model.lastInput()).containsExactly(Item.functionCallOutput("call_1", "Oslo"));
  }

  @Test
  void aCallbackThatDropsEverythingNewIsNotFollowed() {
    model.says("hello");
    run(
        RunConfig.DEFAULT
            .conversationId("conv_1")
            .sessionInputCallback((history, fresh) -> List.of()));
    assertThat(model.lastInput()).containsExactly(Item.user("hi"));
  }

  @Test
  void afterADecisionAllOutputsThatTheProviderLacksAreSent() {
    model.answers(
        Item.functionCall("f", "find", "{\"name\":\"Oslo\"}"),
        Item.functionCall("c", "cancel", "{\"name\":\"Rome\"}"));
    RunResult stopped = run(RunConfig.DEFAULT.previousResponseId("resp_0"));
    RunState state = RunState.fromJson(stopped.toState().toJson());
    state.approve(state.interruptions().get(0));
    model.says("done");
    runner.run(agent, RunInput.state(state), RunConfig.DEFAULT);

    assertThat(model.lastInput())
        .containsExactly(
            Item.functionCallOutput("f", "Oslo"), Item.functionCallOutput("c", "Rome"));
    assertThat(model.requests.get(1).previousResponseId()).contains("resp_1");
  }

  @Test
  void whatCouldNotBeSentIsSentWhenTheRunIsResumed() {
    model.calls("cancel", "{\"name\":\"Rome\"}").fails("overloaded").says("done");
    RunResult stopped = run(RunConfig.DEFAULT.conversationId("conv_1"));
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    assertThatThrownBy(() -> runner.run(agent, RunInput.state(state), RunConfig.DEFAULT))
        .hasMessageContaining("overloaded");
    runner.run(agent, RunInput.state(state), RunConfig.DEFAULT);
    assertThat(model.lastInput()).containsExactly(Item.functionCallOutput("call_1", "Rome"));
  }
}
