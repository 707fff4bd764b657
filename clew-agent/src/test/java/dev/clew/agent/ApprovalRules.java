package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs that stop for a person and go on with what the person decided. */
interface ApprovalRules extends RunFixture {
  private static Tool cancelTool(List<String> cancelled) {
    return Tool.of(
            "cancel",
            "Cancels",
            City.class,
            c -> {
              cancelled.add(c.name());
              return "cancelled";
            })
        .needingApproval();
  }

  @Test
  default void anApprovedCallGoesOnInAnotherProcess() {
    Agent careful = newGuide().tools(cancelTool(new ArrayList<>())).build();
    model().calls("cancel", "{\"name\":\"Oslo\"}");

    RunResult stopped = runner().run(careful, "Cancel Oslo", session());

    assertThat(stopped.finalOutput()).isEmpty();
    assertThat(stopped.interruptions())
        .containsExactly(new Interruption("call_1", "Guide", "cancel", "{\"name\":\"Oslo\"}"));
    assertThat(session().getItems()).hasSize(2);

    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    RunState later = RunState.fromJson(state.toJson());
    List<String> cancelled = new ArrayList<>();
    model().says("Done.");
    RunResult result =
        runner()
            .run(
                newGuide().tools(cancelTool(cancelled)).build(),
                RunInput.state(later),
                config()
                    .sessionInputCallback(
                        (history, fresh) -> {
                          throw new AssertionError("the input is not prepared again");
                        }));

    assertThat(result.finalOutput()).isEqualTo("Done.");
    assertThat(cancelled).containsExactly("Oslo");
    assertThat(session().getItems())
        .containsExactly(
            Item.user("Cancel Oslo"),
            Item.functionCall("call_1", "cancel", "{\"name\":\"Oslo\"}"),
            Item.functionCallOutput("call_1", "cancelled"),
            Item.assistant("Done."));
    assertThat(model().lastInput()).hasSize(3);
  }

  @Test
  default void partialDecisionsDoWhatWasDecidedAndAskAgain() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = newGuide().tools(cancelTool(cancelled)).build();
    model()
        .answers(
            Item.functionCall("a", "cancel", "{\"name\":\"Oslo\"}"),
            Item.functionCall("b", "cancel", "{\"name\":\"Rome\"}"),
            Item.functionCall("w", "get_weather", "{\"name\":\"Rome\"}"),
            Item.functionCall("c", "cancel", "{\"name\":\"Bonn\"}"));

    RunResult stopped = runner().run(careful, "Cancel all", session());
    assertThat(stopped.interruptions()).hasSize(3);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    state.reject(stopped.interruptions().get(1), "not Rome");
    RunResult again = runner().run(careful, RunInput.state(state), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(again.interruptions()).extracting(Interruption::callId).containsExactly("c");
    RunState rest = again.toState();
    rest.approveAlways(again.interruptions().get(0));
    model().calls("cancel", "{\"name\":\"Kiel\"}").says("All done.");
    assertThat(runner().run(careful, RunInput.state(rest), config()).finalOutput())
        .isEqualTo("All done.");
    assertThat(cancelled).containsExactly("Oslo", "Bonn", "Kiel");
    assertThat(session().getItems()).contains(Item.functionCallOutput("b", "not Rome"));
  }

  @Test
  default void aDecisionHoldsForTheArgumentsThatWereShown() {
    Agent careful = newGuide().tools(cancelTool(new ArrayList<>())).build();
    model().calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner().run(careful, "Cancel Oslo", session());
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));

    RunState forged = RunState.fromJson(state.toJson().replace("Oslo", "Rome"));

    assertThatThrownBy(() -> runner().run(careful, RunInput.state(forged), config()))
        .hasMessageContaining("not those that were decided about");
    assertThatThrownBy(
            () -> state.approve(new Interruption("call_1", "Guide", "cancel", "{\"name\":\"X\"}")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void aDecisionHoldsForOneCallOnly() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = newGuide().tools(cancelTool(cancelled)).build();
    Item call = Item.functionCall("call_0", "cancel", "{\"name\":\"Oslo\"}");
    model().answers(call);
    RunResult stopped = runner().run(careful, "Cancel Oslo", session());
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    // Some models use an id again.
    model().answers(call);

    RunResult again = runner().run(careful, RunInput.state(state), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(again.interruptions()).hasSize(1);
    RunState next = again.toState();
    next.reject(again.interruptions().get(0));
    model().answers(Item.functionCall("call_0", "cancel", "{\"name\":\"Rome\"}"));
    assertThat(runner().run(careful, RunInput.state(next), config()).interruptions()).hasSize(1);
  }

  @Test
  default void aStateOfAnotherVersionIsRefused() {
    assertThatThrownBy(() -> RunState.fromJson("{\"schema_version\":99}"))
        .isInstanceOf(ClewException.NotSupported.class)
        .hasMessageContaining("version 99");
    assertThatThrownBy(() -> RunState.fromJson("nonsense"))
        .isInstanceOf(ClewException.InvalidItem.class);
  }

  @Test
  default void aStateThatIsResumedTwiceCallsItsToolsOnce() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = newGuide().tools(cancelTool(cancelled)).build();
    model().calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner().run(careful, "Cancel Oslo", session());
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    String json = state.toJson();
    model().fails("overloaded").says("Done.");

    assertThatThrownBy(
            () -> runner().run(careful, RunInput.state(RunState.fromJson(json)), config()))
        .hasMessageContaining("overloaded");
    RunResult second = runner().run(careful, RunInput.state(RunState.fromJson(json)), config());
    RunResult third = runner().run(careful, RunInput.state(RunState.fromJson(json)), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(second.finalOutput()).isEqualTo("Done.");
    assertThat(third.finalOutput()).isEqualTo("Done.");
    assertThat(session().getItems()).hasSize(4);
    assertThat(third.newItems()).isEqualTo(session().getItems().subList(1, 4));
  }

  @Test
  default void aTurnThatWasUndoneIsNotResumed() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = newGuide().tools(cancelTool(cancelled)).build();
    model().calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner().run(careful, "Cancel Oslo", session());
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    session().popItem();

    assertThatThrownBy(() -> runner().run(careful, RunInput.state(state), config()))
        .isInstanceOf(ClewException.VersionConflict.class)
        .hasMessageContaining("no longer in the session");
    assertThat(cancelled).isEmpty();
  }

  @Test
  default void aRunIsResumedWithTheSessionItWasStartedWith() {
    Agent careful = newGuide().tools(cancelTool(new ArrayList<>())).build();
    model().calls("cancel", "{\"name\":\"Oslo\"}").calls("cancel", "{\"name\":\"Oslo\"}");
    RunState state = runner().run(careful, "Cancel Oslo", session()).toState();

    assertThatThrownBy(() -> runner().run(careful, RunInput.state(state), RunConfig.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("session '" + session().id() + "'");
    RunState without = runner().run(careful, "Cancel Oslo").toState();
    assertThatThrownBy(() -> runner().run(careful, RunInput.state(without), config()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without a session");
  }

  @Test
  default void aRunThatIsResumedWithFewerTurnsEndsToo() {
    Agent careful = newGuide().tools(cancelTool(new ArrayList<>())).build();
    model().calls("get_weather", "{\"name\":\"Oslo\"}").calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner().run(careful, "Cancel Oslo", session());
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));

    assertThatThrownBy(() -> runner().run(careful, RunInput.state(state), config().maxTurns(1)))
        .isInstanceOf(ClewException.MaxTurnsExceeded.class);
  }

  @Test
  default void aRunThatStoppedAfterAHandoffGoesOnWithTheOneWhoTookOver() {
    List<String> cancelled = new ArrayList<>();
    Agent desk =
        Agent.builder().name("Desk").instructions("Cancel.").tools(cancelTool(cancelled)).build();
    Agent triage = newGuide().handoffs(desk).build();
    model().calls("transfer_to_desk", "{}").calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner().run(triage, "Cancel Oslo", session());
    assertThat(stopped.interruptions().get(0).agent()).isEqualTo("Desk");
    RunState state = RunState.fromJson(stopped.toState().toJson());
    state.approve(state.interruptions().get(0));
    model().says("Done.");

    RunResult result = runner().run(triage, RunInput.state(state), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(result.lastAgent()).isSameAs(desk);
    assertThat(model().requests.get(2).instructions()).isEqualTo("Cancel.");
    assertThat(session().getItems()).hasSize(6);
  }

  @Test
  default void theAnswerOfAResumedRunIsCheckedToo() {
    Agent careful =
        newGuide()
            .tools(cancelTool(new ArrayList<>()))
            .outputGuardrail(
                Guardrail.of(
                    "polite",
                    (context, items) ->
                        RunFixture.text(items.get(0)).equals("Rude.")
                            ? Optional.of("rude")
                            : Optional.empty()))
            .build();
    model().calls("cancel", "{\"name\":\"Oslo\"}").says("Rude.");
    RunResult stopped = runner().run(careful, "Cancel Oslo", session());
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));

    assertThatThrownBy(() -> runner().run(careful, RunInput.state(state), config()))
        .isInstanceOf(ClewException.GuardrailTripped.class);
    assertThat(session().getItems()).hasSize(3);
  }

  @Test
  default void aPredicateThatFailsKeepsTheToolFromBeingCalled() {
    List<String> called = new ArrayList<>();
    Agent careful =
        newGuide()
            .tools(
                Tool.of("pay", "Pays", City.class, c -> called.add(c.name()))
                    .needingApproval(
                        call -> {
                          throw new IllegalStateException("no such account");
                        }))
            .build();
    model().calls("pay", "{\"name\":\"Oslo\"}").says("Sorry.");

    assertThat(runner().run(careful, "Pay", session()).finalOutput()).isEqualTo("Sorry.");
    assertThat(called).isEmpty();
    assertThat(RunFixture.text(session().getItems().get(2))).contains("no such account");
  }
}
