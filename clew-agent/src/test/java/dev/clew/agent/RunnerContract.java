package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Role;
import dev.clew.Session;
import dev.clew.SessionSettings;
import dev.clew.View;
import dev.clew.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a run promises on any session. */
abstract class RunnerContract {
  record City(String name) {}

  private static final Tool WEATHER =
      Tool.of("get_weather", "The weather in a city", City.class, c -> "sunny in " + c.name());

  private final Script model = new Script();
  private final Runner runner = Runner.with(model);
  private final Agent agent = agent().build();
  private Session session;

  abstract Session newSession();

  private static Agent.Builder agent() {
    return Agent.builder().name("Guide").instructions("Be brief.").tools(WEATHER);
  }

  @BeforeEach
  void open() {
    session = newSession();
  }

  private RunConfig config() {
    return RunConfig.DEFAULT.session(session);
  }

  private RunResult run(RunConfig config, String text) {
    return runner.run(agent, RunInput.text(text), config);
  }

  @Test
  void aSecondTurnSeesTheFirst() {
    model.says("San Francisco").says("California");

    assertThat(runner.run(agent, "What city?", session).finalOutput()).isEqualTo("San Francisco");
    assertThat(runner.run(agent, "What state?", session).finalOutput()).isEqualTo("California");

    assertThat(model.lastInput())
        .containsExactly(
            Item.user("What city?"), Item.assistant("San Francisco"), Item.user("What state?"));
    assertThat(session.getItems()).hasSize(4);
    assertThat(model.requests.get(0).instructions()).isEqualTo("Be brief.");
  }

  @Test
  void aToolIsCalledAndEveryStepIsStored() {
    model.calls("get_weather", "{\"name\":\"Oslo\"}").says("It is sunny.");

    RunResult result = runner.run(agent, "Weather in Oslo?", session);

    List<Item> turn =
        List.of(
            Item.user("Weather in Oslo?"),
            Item.functionCall("call_1", "get_weather", "{\"name\":\"Oslo\"}"),
            Item.functionCallOutput("call_1", "sunny in Oslo"),
            Item.assistant("It is sunny."));
    assertThat(session.getItems()).isEqualTo(turn);
    assertThat(result.toInputList()).isEqualTo(turn);
    assertThat(result.newItems()).isEqualTo(turn.subList(1, 4));
    assertThat(result.requests()).hasSize(2);
    assertThat(result.usage().requests()).isEqualTo(2);
    assertThat(result.lastResponseId()).contains("resp_2");
  }

  @Test
  void aStreamedRunLeavesTheSameHistory() {
    model.calls("get_weather", "{\"name\":\"Oslo\"}").says("It is sunny.");

    List<RunEvent> events = new ArrayList<>();
    try (RunStream stream = runner.runStreamed(agent, "Weather in Oslo?", session)) {
      stream.forEach(events::add);
      assertThat(stream.result().finalOutput()).isEqualTo("It is sunny.");
    }

    assertThat(session.getItems()).hasSize(4);
    assertThat(events)
        .containsSubsequence(
            new RunEvent.AgentStarted("Guide"),
            new RunEvent.ToolStarted("call_1", "get_weather", "{\"name\":\"Oslo\"}"),
            new RunEvent.ToolFinished("call_1", "get_weather", "sunny in Oslo", false),
            new RunEvent.TextDelta("It "),
            new RunEvent.TextDelta("is "),
            new RunEvent.TextDelta("sunny."),
            new RunEvent.StepStored(List.of(Item.assistant("It is sunny."))));
  }

  @Test
  void anErrorOfTheModelLeavesTheInputAndWhatWasDone() {
    model.calls("get_weather", "{\"name\":\"Oslo\"}").fails("overloaded");

    assertThatThrownBy(() -> runner.run(agent, "Weather?", session))
        .isInstanceOf(ClewException.ModelFailed.class);

    assertThat(session.getItems()).hasSize(3);
  }

  @Test
  void whatAToolThrowsIsAnOutputTheModelCanRead() {
    Agent failing =
        agent()
            .tools(
                Tool.of(
                    "book",
                    "Books",
                    City.class,
                    c -> {
                      throw new IllegalStateException("no rooms in " + c.name());
                    }))
            .build();
    model.calls("book", "{\"name\":\"Oslo\"}").says("There are no rooms.");

    runner.run(failing, "Book", session);

    assertThat(text(session.getItems().get(2))).contains("no rooms in Oslo");
  }

  @Test
  void argumentsThatDoNotFitNeverReachTheTool() {
    model
        .calls("get_weather", "{}")
        .calls("get_weather", "not json")
        .calls("get_weather", "{\"name\":\"x\",\"land\":\"y\"}")
        .calls("nonsense", "{}")
        .says("Sorry.");

    runner.run(agent, "Weather?", session);

    List<Item> items = session.getItems();
    assertThat(text(items.get(2))).contains("'name' is missing");
    assertThat(text(items.get(4))).contains("not valid JSON");
    assertThat(text(items.get(6))).contains("land");
    assertThat(text(items.get(8))).contains("there is no tool 'nonsense'");
  }

  @Test
  void aToolThatTakesTooLongIsGivenUp() {
    CountDownLatch never = new CountDownLatch(1);
    Agent slow =
        agent()
            .tools(
                Tool.of("wait", "Waits", City.class, c -> never.await(1, TimeUnit.HOURS))
                    .timeout(Duration.ofMillis(20)))
            .build();
    model.calls("wait", "{\"name\":\"x\"}").says("It took too long.");

    runner.run(slow, "Wait", session);

    assertThat(text(session.getItems().get(2))).contains("took longer than PT0.02S");
  }

  @Test
  void parallelCallsRunAtTheSameTimeAndAnswerInOrder() {
    CountDownLatch both = new CountDownLatch(2);
    Agent parallel =
        agent()
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
    model
        .answers(
            Item.functionCall("a", "meet", "{\"name\":\"one\"}"),
            Item.functionCall("b", "meet", "{\"name\":\"two\"}"))
        .says("done");

    runner.run(parallel, "Meet", session);

    assertThat(session.getItems().subList(3, 5))
        .containsExactly(Item.functionCallOutput("a", "one"), Item.functionCallOutput("b", "two"));
  }

  @Test
  void aRunThatNeverAnswersEndsAfterItsTurns() {
    for (int i = 0; i < 10; i++) {
      model.calls("get_weather", "{\"name\":\"Oslo\"}");
    }

    assertThatThrownBy(() -> runner.run(agent, "Weather?", session))
        .isInstanceOf(ClewException.MaxTurnsExceeded.class)
        .hasMessageContaining("10 times");

    assertThat(session.getItems()).hasSize(21);
  }

  @Test
  void aBlockedInputIsKeptAndNeverShownToAModel() {
    Agent guarded =
        agent()
            .inputGuardrail(
                Guardrail.of(
                    "no secrets",
                    (context, items) ->
                        text(items.get(0)).contains("secret")
                            ? Optional.of("a secret")
                            : Optional.empty()))
            .build();
    model.says("Hello.");

    assertThatThrownBy(() -> runner.run(guarded, "my secret", session))
        .isInstanceOf(ClewException.GuardrailTripped.class)
        .hasMessageContaining("no secrets");
    assertThat(session.getItems()).hasSize(1);
    assertThat(model.requests).isEmpty();

    runner.run(guarded, "Hi", session);
    assertThat(model.lastInput()).containsExactly(Item.user("Hi"));
    assertThat(session.getItems()).hasSize(3);
  }

  @Test
  void aBlockedAnswerIsDroppedAndToolWorkKept() {
    Agent guarded =
        agent()
            .outputGuardrail(Guardrail.of("polite", (context, items) -> Optional.of("not polite")))
            .build();
    model.calls("get_weather", "{\"name\":\"Oslo\"}").says("Rude.");

    assertThatThrownBy(() -> runner.run(guarded, "Weather?", session))
        .isInstanceOf(ClewException.GuardrailTripped.class);

    assertThat(session.getItems()).hasSize(3).doesNotContain(Item.assistant("Rude."));
  }

  @Test
  void theCallbackDecidesWhatTheModelSeesAndOnlyTheNewIsStored() {
    model.says("one").says("two").says("three").says("four").says("five").says("six");
    run(config(), "a");

    run(config().sessionInputCallback((history, fresh) -> fresh), "b");
    assertThat(model.lastInput()).containsExactly(Item.user("b"));

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
    assertThat(model.lastInput()).hasSize(6).startsWith(Item.user("c"), Item.user("c"));

    run(
        config()
            .sessionInputCallback(
                (history, fresh) -> List.of(Item.system("summary"), Item.user("D!"))),
        "d");
    run(config().sessionInputCallback((history, fresh) -> history), "dropped");
    run(config(), "a");

    assertThat(texts(session.getItems()))
        .containsExactly("a", "one", "b", "two", "c", "three", "D!", "four", "five", "a", "six");
  }

  @Test
  void orphansAreLeftOutOfTheInputAndKept() {
    session.addItems(
        List.of(
            Item.user("before"),
            Item.functionCall("lost", "get_weather", "{}"),
            Item.functionCallOutput("stray", "x"),
            Item.parse("{\"type\":\"reasoning\",\"summary\":[]}"),
            Item.functionCall("lost2", "get_weather", "{}")));
    model.says("hello");

    runner.run(agent, "now", session);

    assertThat(model.lastInput()).containsExactly(Item.user("before"), Item.user("now"));
    assertThat(session.getItems()).hasSize(7);
  }

  @Test
  void aWindowShowsTheNewestTurns() {
    model.says("1").says("2").says("3");
    run(config(), "a");
    run(config(), "b");
    run(config().window(Window.lastTurns(1)), "c");

    assertThat(texts(model.lastInput())).containsExactly("b", "2", "c");
  }

  @Test
  void aSessionAndAConversationIdTogetherAreRefused() {
    assertThatThrownBy(() -> run(config().conversationId("conv_1"), "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("drop conversationId");
    assertThat(session.getItems()).isEmpty();
  }

  @Test
  void anApprovedCallGoesOnInAnotherProcess() {
    Agent careful = agent().tools(cancelTool(new ArrayList<>())).build();
    model.calls("cancel", "{\"name\":\"Oslo\"}");

    RunResult stopped = runner.run(careful, "Cancel Oslo", session);

    assertThat(stopped.finalOutput()).isEmpty();
    assertThat(stopped.interruptions())
        .containsExactly(new Interruption("call_1", "Guide", "cancel", "{\"name\":\"Oslo\"}"));
    assertThat(session.getItems()).hasSize(2);

    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    RunState later = RunState.fromJson(state.toJson());
    List<String> cancelled = new ArrayList<>();
    model.says("Done.");
    RunResult result =
        runner.run(
            agent().tools(cancelTool(cancelled)).build(),
            RunInput.state(later),
            config()
                .sessionInputCallback(
                    (history, fresh) -> {
                      throw new AssertionError("the input is not prepared again");
                    }));

    assertThat(result.finalOutput()).isEqualTo("Done.");
    assertThat(cancelled).containsExactly("Oslo");
    assertThat(session.getItems())
        .containsExactly(
            Item.user("Cancel Oslo"),
            Item.functionCall("call_1", "cancel", "{\"name\":\"Oslo\"}"),
            Item.functionCallOutput("call_1", "cancelled"),
            Item.assistant("Done."));
    assertThat(model.lastInput()).hasSize(3);
  }

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
  void partialDecisionsDoWhatWasDecidedAndAskAgain() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = agent().tools(cancelTool(cancelled)).build();
    model.answers(
        Item.functionCall("a", "cancel", "{\"name\":\"Oslo\"}"),
        Item.functionCall("b", "cancel", "{\"name\":\"Rome\"}"),
        Item.functionCall("w", "get_weather", "{\"name\":\"Rome\"}"),
        Item.functionCall("c", "cancel", "{\"name\":\"Bonn\"}"));

    RunResult stopped = runner.run(careful, "Cancel all", session);
    assertThat(stopped.interruptions()).hasSize(3);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    state.reject(stopped.interruptions().get(1), "not Rome");
    RunResult again = runner.run(careful, RunInput.state(state), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(again.interruptions()).extracting(Interruption::callId).containsExactly("c");
    RunState rest = again.toState();
    rest.approveAlways(again.interruptions().get(0));
    model.calls("cancel", "{\"name\":\"Kiel\"}").says("All done.");
    assertThat(runner.run(careful, RunInput.state(rest), config()).finalOutput())
        .isEqualTo("All done.");
    assertThat(cancelled).containsExactly("Oslo", "Bonn", "Kiel");
    assertThat(session.getItems()).contains(Item.functionCallOutput("b", "not Rome"));
  }

  @Test
  void aDecisionHoldsForTheArgumentsThatWereShown() {
    Agent careful = agent().tools(cancelTool(new ArrayList<>())).build();
    model.calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner.run(careful, "Cancel Oslo", session);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));

    RunState forged = RunState.fromJson(state.toJson().replace("Oslo", "Rome"));

    assertThatThrownBy(() -> runner.run(careful, RunInput.state(forged), config()))
        .hasMessageContaining("not those that were decided about");
    assertThatThrownBy(
            () -> state.approve(new Interruption("call_1", "Guide", "cancel", "{\"name\":\"X\"}")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStateOfAnotherVersionIsRefused() {
    assertThatThrownBy(() -> RunState.fromJson("{\"schema_version\":99}"))
        .isInstanceOf(ClewException.NotSupported.class)
        .hasMessageContaining("version 99");
    assertThatThrownBy(() -> RunState.fromJson("nonsense"))
        .isInstanceOf(ClewException.InvalidItem.class);
  }

  @Test
  void aHandoffChangesTheAgentAndStaysInTheHistory() {
    Agent spanish = Agent.builder().name("Spanish Expert").instructions("Hablas.").build();
    Agent triage = agent().handoffs(spanish).build();
    model.calls("transfer_to_spanish_expert", "{}").says("Hola.");

    RunResult result = runner.run(triage, "Hola", session);

    assertThat(result.lastAgent()).isSameAs(spanish);
    assertThat(model.requests.get(1).instructions()).isEqualTo("Hablas.");
    assertThat(session.getItems())
        .containsExactly(
            Item.user("Hola"),
            Item.functionCall("call_1", "transfer_to_spanish_expert", "{}"),
            Item.functionCallOutput("call_1", "{\"assistant\":\"Spanish Expert\"}"),
            Item.assistant("Hola."));
  }

  @Test
  void anAgentAsToolLeavesOnlyItsCallAndAnswer() {
    Agent translator = Agent.builder().name("Translator").instructions("Translate.").build();
    Agent boss = agent().tools(translator.asTool("translate", "Translates")).build();
    model.calls("translate", "{\"input\":\"hello\"}").says("hola").says("It is hola.");

    RunResult result = runner.run(boss, "Translate hello", session);

    assertThat(model.requests.get(1).input()).containsExactly(Item.user("hello"));
    assertThat(session.getItems())
        .containsExactly(
            Item.user("Translate hello"),
            Item.functionCall("call_1", "translate", "{\"input\":\"hello\"}"),
            Item.functionCallOutput("call_1", "hola"),
            Item.assistant("It is hola."));
    assertThat(result.requests()).hasSize(3);
  }

  @Test
  void theOutputOfAToolCanBeTheAnswer() {
    Agent direct = agent().toolUse(ToolUse.stopAt("get_weather")).build();
    model.calls("get_weather", "{\"name\":\"Oslo\"}");

    assertThat(runner.run(direct, "Weather?", session).finalOutput()).isEqualTo("sunny in Oslo");
    assertThat(session.getItems()).hasSize(3);
  }

  record Verdict(boolean good, List<String> reasons) {}

  @Test
  void aStructuredAnswerIsAValue() {
    Agent judge = Agent.builder().name("Judge").outputType(Verdict.class).build();
    model.says("{\"good\":true,\"reasons\":[\"short\"]}").says("nonsense");

    assertThat(runner.run(judge, "Judge", session).finalOutput(Verdict.class))
        .isEqualTo(new Verdict(true, List.of("short")));
    assertThat(model.requests.get(0).outputSchema().orElseThrow().schema())
        .contains("\"additionalProperties\":false", "\"required\":[\"good\",\"reasons\"]");
    assertThatThrownBy(() -> runner.run(judge, "Judge", session))
        .isInstanceOf(ClewException.ModelFailed.class)
        .hasMessageContaining("Verdict");
  }

  @Test
  void aCancelledStreamKeepsTheTextSoFarMarkedIncomplete() {
    RunStream stream = Runner.with(new Unfinished()).runStreamed(agent, "Count", session);
    for (RunEvent event : stream) {
      if (event.equals(new RunEvent.TextDelta("two "))) {
        stream.cancel();
        break;
      }
    }
    stream.close();

    assertThatThrownBy(stream::result).isInstanceOf(CancellationException.class);
    List<Item> items = session.getItems();
    assertThat(items).hasSize(2);
    assertThat(items.get(1).json()).contains("\"status\":\"incomplete\"");
    assertThat(text(items.get(1))).isEqualTo("one two ");
  }

  /** Says two words and no more. */
  private static final class Unfinished implements Model {
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
  void aSlowReaderHoldsTheRunBack() {
    StringBuilder long1 = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      long1.append("word").append(i).append(' ');
    }
    model.says(long1.toString());
    List<String> words = new ArrayList<>();
    try (RunStream stream = runner.runStreamed(agent, "Talk", session)) {
      for (RunEvent event : stream) {
        if (event instanceof RunEvent.TextDelta delta) {
          words.add(delta.text());
        }
      }
    }
    assertThat(String.join("", words)).isEqualTo(long1.toString());
  }

  static String text(Item item) {
    View view = item.view();
    return view instanceof View.Message message
        ? message.text()
        : view instanceof View.FunctionCallOutput output ? output.text() : item.json();
  }

  private static List<String> texts(List<Item> items) {
    return items.stream().map(RunnerContract::text).toList();
  }

  @Test
  void rolesOfTheInputAreKept() {
    model.says("ok");
    runner.run(agent, RunInput.items(List.of(Item.developer("rule"), Item.user("hi"))), config());
    assertThat(session.getItems())
        .extracting(item -> ((View.Message) item.view()).role())
        .containsExactly(Role.DEVELOPER, Role.USER, Role.ASSISTANT);
  }

  @Test
  void aDecisionHoldsForOneCallOnly() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = agent().tools(cancelTool(cancelled)).build();
    Item call = Item.functionCall("call_0", "cancel", "{\"name\":\"Oslo\"}");
    model.answers(call);
    RunResult stopped = runner.run(careful, "Cancel Oslo", session);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    // Some models use an id again.
    model.answers(call);

    RunResult again = runner.run(careful, RunInput.state(state), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(again.interruptions()).hasSize(1);
    RunState next = again.toState();
    next.reject(again.interruptions().get(0));
    model.answers(Item.functionCall("call_0", "cancel", "{\"name\":\"Rome\"}"));
    assertThat(runner.run(careful, RunInput.state(next), config()).interruptions()).hasSize(1);
  }

  @Test
  void aStateThatIsResumedTwiceCallsItsToolsOnce() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = agent().tools(cancelTool(cancelled)).build();
    model.calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner.run(careful, "Cancel Oslo", session);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    String json = state.toJson();
    model.fails("overloaded").says("Done.");

    assertThatThrownBy(() -> runner.run(careful, RunInput.state(RunState.fromJson(json)), config()))
        .hasMessageContaining("overloaded");
    RunResult second = runner.run(careful, RunInput.state(RunState.fromJson(json)), config());
    RunResult third = runner.run(careful, RunInput.state(RunState.fromJson(json)), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(second.finalOutput()).isEqualTo("Done.");
    assertThat(third.finalOutput()).isEqualTo("Done.");
    assertThat(session.getItems()).hasSize(4);
    assertThat(third.newItems()).isEqualTo(session.getItems().subList(1, 4));
  }

  @Test
  void aTurnThatWasUndoneIsNotResumed() {
    List<String> cancelled = new ArrayList<>();
    Agent careful = agent().tools(cancelTool(cancelled)).build();
    model.calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner.run(careful, "Cancel Oslo", session);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    session.popItem();

    assertThatThrownBy(() -> runner.run(careful, RunInput.state(state), config()))
        .isInstanceOf(ClewException.VersionConflict.class)
        .hasMessageContaining("no longer in the session");
    assertThat(cancelled).isEmpty();
  }

  @Test
  void aRunIsResumedWithTheSessionItWasStartedWith() {
    Agent careful = agent().tools(cancelTool(new ArrayList<>())).build();
    model.calls("cancel", "{\"name\":\"Oslo\"}").calls("cancel", "{\"name\":\"Oslo\"}");
    RunState state = runner.run(careful, "Cancel Oslo", session).toState();

    assertThatThrownBy(() -> runner.run(careful, RunInput.state(state), RunConfig.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("session '" + session.id() + "'");
    RunState without = runner.run(careful, "Cancel Oslo").toState();
    assertThatThrownBy(() -> runner.run(careful, RunInput.state(without), config()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without a session");
  }

  @Test
  void aRunThatIsResumedWithFewerTurnsEndsToo() {
    Agent careful = agent().tools(cancelTool(new ArrayList<>())).build();
    model.calls("get_weather", "{\"name\":\"Oslo\"}").calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner.run(careful, "Cancel Oslo", session);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));

    assertThatThrownBy(() -> runner.run(careful, RunInput.state(state), config().maxTurns(1)))
        .isInstanceOf(ClewException.MaxTurnsExceeded.class);
  }

  @Test
  void aPredicateThatFailsKeepsTheToolFromBeingCalled() {
    List<String> called = new ArrayList<>();
    Agent careful =
        agent()
            .tools(
                Tool.of("pay", "Pays", City.class, c -> called.add(c.name()))
                    .needingApproval(
                        call -> {
                          throw new IllegalStateException("no such account");
                        }))
            .build();
    model.calls("pay", "{\"name\":\"Oslo\"}").says("Sorry.");

    assertThat(runner.run(careful, "Pay", session).finalOutput()).isEqualTo("Sorry.");
    assertThat(called).isEmpty();
    assertThat(text(session.getItems().get(2))).contains("no such account");
  }

  @Test
  void aRunStartsAtTheNewestCompaction() {
    Item compaction = Item.parse("{\"type\":\"compaction\",\"encrypted_content\":\"x\"}");
    session.addItems(
        List.of(
            Item.user("old"),
            Item.assistant("older"),
            Item.user("left as it was"),
            compaction,
            Item.user("new")));
    model.says("ok");
    runner.run(agent, "now", session);
    assertThat(model.lastInput())
        .containsExactly(
            Item.user("left as it was"), compaction, Item.user("new"), Item.user("now"));
  }

  @Test
  void withoutItemsOfTheHistoryAskedForNoneAreShown() {
    session.addItems(List.of(Item.user("old")));
    model.says("ok");
    run(config().sessionSettings(SessionSettings.limit(0)), "now");
    assertThat(model.lastInput()).containsExactly(Item.user("now"));
  }

  @Test
  void aRunThatStoppedAfterAHandoffGoesOnWithTheOneWhoTookOver() {
    List<String> cancelled = new ArrayList<>();
    Agent desk =
        Agent.builder().name("Desk").instructions("Cancel.").tools(cancelTool(cancelled)).build();
    Agent triage = agent().handoffs(desk).build();
    model.calls("transfer_to_desk", "{}").calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner.run(triage, "Cancel Oslo", session);
    assertThat(stopped.interruptions().get(0).agent()).isEqualTo("Desk");
    RunState state = RunState.fromJson(stopped.toState().toJson());
    state.approve(state.interruptions().get(0));
    model.says("Done.");

    RunResult result = runner.run(triage, RunInput.state(state), config());

    assertThat(cancelled).containsExactly("Oslo");
    assertThat(result.lastAgent()).isSameAs(desk);
    assertThat(model.requests.get(2).instructions()).isEqualTo("Cancel.");
    assertThat(session.getItems()).hasSize(6);
  }

  @Test
  void theAnswerOfAResumedRunIsCheckedToo() {
    Agent careful =
        agent()
            .tools(cancelTool(new ArrayList<>()))
            .outputGuardrail(
                Guardrail.of(
                    "polite",
                    (context, items) ->
                        text(items.get(0)).equals("Rude.")
                            ? Optional.of("rude")
                            : Optional.empty()))
            .build();
    model.calls("cancel", "{\"name\":\"Oslo\"}").says("Rude.");
    RunResult stopped = runner.run(careful, "Cancel Oslo", session);
    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));

    assertThatThrownBy(() -> runner.run(careful, RunInput.state(state), config()))
        .isInstanceOf(ClewException.GuardrailTripped.class);
    assertThat(session.getItems()).hasSize(3);
  }

  @Test
  void aCancelledRunKeepsTheOutputsOfTheToolsThatWereDone() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    Agent parallel =
        agent()
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
    model
        .answers(
            Item.functionCall("a", "get_weather", "{\"name\":\"Oslo\"}"),
            Item.functionCall("b", "wait", "{\"name\":\"Oslo\"}"))
        .says("Now.");
    RunStream stream = runner.runStreamed(parallel, "Go", session);
    for (RunEvent event : stream) {
      if (event instanceof RunEvent.ToolFinished) {
        assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
        stream.cancel();
      }
    }
    assertThatThrownBy(stream::result).isInstanceOf(CancellationException.class);

    assertThat(session.getItems())
        .hasSize(4)
        .contains(Item.functionCallOutput("a", "sunny in Oslo"));
    runner.run(agent, "And now?", session);
    assertThat(model.lastInput())
        .containsExactly(
            Item.user("Go"),
            Item.functionCall("a", "get_weather", "{\"name\":\"Oslo\"}"),
            Item.functionCallOutput("a", "sunny in Oslo"),
            Item.user("And now?"));
  }
}
