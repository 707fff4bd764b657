package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionKey;
import dev.clew.SessionSettings;
import dev.clew.StoredSession;
import dev.clew.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** What a run promises on a session of a store, beyond what it promises on any. */
class StoredRunTest {
  record City(String name) {}

  private final Script model = new Script();
  private final Runner runner = Runner.with(model);
  private final MemoryStore store = new MemoryStore();
  private final StoredSession session = store.session("s");
  private final List<String> cancelled = new ArrayList<>();
  private final Agent agent =
      Agent.builder()
          .name("Guide")
          .tools(
              Tool.of("find", "Finds", City.class, City::name),
              Tool.of(
                      "cancel",
                      "Cancels",
                      City.class,
                      c -> {
                        cancelled.add(c.name());
                        return "cancelled " + cancelled.size();
                      })
                  .needingApproval())
          .build();

  private RunResult deliver(Session to) {
    return runner.run(
        agent, RunInput.text("hi"), RunConfig.DEFAULT.session(to).operationId("message-1"));
  }

  private static Item sealed(String content) {
    return Item.parse(
        "{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"" + content + "\"}");
  }

  private void addSealedReasoning() {
    session.commit(
        Commit.appendDrafts(
            List.of(
                Draft.of(Item.user("a")),
                new Draft(sealed("of Google"), Map.of("provider", "google")),
                new Draft(sealed("of OpenAI"), Map.of("provider", "openai")),
                Draft.of(sealed("of the run's own model")),
                new Draft(Item.assistant("b"), Map.of("provider", "google")))));
  }

  @Test
  void reasoningThatAnotherProviderSealedIsStoredAndNotShown() {
    addSealedReasoning();
    model.says("d");

    runner.run(agent, "c", session);

    assertThat(model.lastInput())
        .containsExactly(
            Item.user("a"),
            sealed("of OpenAI"),
            sealed("of the run's own model"),
            Item.assistant("b"),
            Item.user("c"));
    assertThat(session.getItems()).contains(sealed("of Google"));
  }

  @Test
  void reasoningThatAnotherProviderSealedIsNotCompactedWithTheRest() {
    addSealedReasoning();
    List<Item> compacted = new ArrayList<>();

    CompactionSession.over(
            session,
            request -> {
              compacted.addAll(request.modelInput());
              return Compaction.of(List.of(Item.user("short")));
            })
        .runCompaction(CompactionOptions.FORCE);

    assertThat(compacted).contains(sealed("of OpenAI")).doesNotContain(sealed("of Google"));
    assertThat(session.getItems()).containsExactly(Item.user("short"));
  }

  @Test
  void aMessageThatIsDeliveredTwiceIsAnsweredOnce() {
    model.calls("find", "{\"name\":\"Oslo\"}").says("Oslo");
    deliver(session);
    RunResult again = deliver(session);
    assertThat(again.finalOutput()).isEqualTo("Oslo");
    assertThat(again.newItems()).hasSize(3);
    assertThat(session.getItems()).hasSize(4);
  }

  @Test
  void aMessageThatIsDeliveredAgainAfterACompactionIsAnsweredOnce() {
    Session compacted =
        CompactionSession.builder(session, new Summarised()).trigger(context -> true).build();
    model.says("hello").says("other");
    deliver(compacted);
    assertThat(deliver(compacted).finalOutput()).isEqualTo("hello");
    runner.run(agent, "something else", compacted);
    assertThat(deliver(compacted).finalOutput()).isEqualTo("hello");
    assertThat(model.requests).hasSize(2);
  }

  @Test
  void aMessageThatIsDeliveredAgainAfterACompactionInPlaceIsAnsweredOnce() {
    Session compacted =
        CompactionSession.builder(session, new Summarised())
            .trigger(context -> true)
            .inPlace()
            .build();
    model.says("hello");
    deliver(compacted);
    assertThat(deliver(compacted).finalOutput()).isEqualTo("hello");
  }

  @Test
  void aMessageThatIsDeliveredAgainWhileAPersonHasToDecideAsksForTheSameDecision() {
    model.calls("cancel", "{\"name\":\"Oslo\"}");
    RunResult first = deliver(session);
    RunResult again = deliver(session);
    assertThat(again.interruptions()).isEqualTo(first.interruptions());
    assertThat(session.getItems()).hasSize(2);

    RunState state = again.toState();
    state.approve(again.interruptions().get(0));
    model.says("done");
    RunResult done = runner.run(agent, RunInput.state(state), RunConfig.DEFAULT.session(session));
    assertThat(done.finalOutput()).isEqualTo("done");
    assertThat(model.lastInput()).isEqualTo(session.getItems().subList(0, 3));
    assertThat(cancelled).containsExactly("Oslo");
  }

  @Test
  void aRunThatFailedGoesOnWhenItsMessageIsDeliveredAgain() {
    model.calls("find", "{\"name\":\"Oslo\"}").fails("overloaded").says("Oslo");
    assertThatThrownBy(() -> deliver(session)).hasMessageContaining("overloaded");
    RunResult again = deliver(session);
    assertThat(again.finalOutput()).isEqualTo("Oslo");
    assertThat(again.newItems()).hasSize(3);
    assertThat(model.lastInput()).isEqualTo(session.getItems().subList(0, 3));
    assertThat(session.getItems()).hasSize(4);
  }

  @Test
  void textThatWasCutOffIsNotTheAnswerToAMessageThatIsDeliveredAgain() {
    model.fails("cut").says("hello");
    assertThatThrownBy(() -> deliver(session)).hasMessageContaining("cut");
    session.addItems(
        List.of(
            Item.parse(
                "{\"type\":\"message\",\"role\":\"assistant\",\"status\":\"incomplete\","
                    + "\"content\":[{\"type\":\"output_text\",\"text\":\"hel\"}]}")));
    assertThat(deliver(session).finalOutput()).isEqualTo("hello");
  }

  @Test
  void aDefaultLimitOfTheSessionHoldsForRuns() {
    session.addItems(
        List.of(Item.user("a"), Item.assistant("1"), Item.user("b"), Item.assistant("2")));
    StoredSession limited = store.session(SessionKey.of("s")).with(SessionSettings.limit(2));
    model.says("3");
    runner.run(agent, "c", limited);
    assertThat(model.lastInput())
        .containsExactly(Item.user("b"), Item.assistant("2"), Item.user("c"));
    StoredSession none = store.session(SessionKey.of("s")).with(SessionSettings.limit(0));
    model.says("4");
    runner.run(agent, "d", none);
    assertThat(model.lastInput()).containsExactly(Item.user("d"));
  }

  @Test
  void anInterruptedThreadEndsTheRunAndAsksNoModelWithHalfOfTheOutputs() {
    Thread self = Thread.currentThread();
    Agent interrupting =
        Agent.builder()
            .name("Guide")
            .tools(
                Tool.of(
                    "find",
                    "Finds",
                    City.class,
                    c -> {
                      self.interrupt();
                      new java.util.concurrent.CountDownLatch(1).await();
                      return "never";
                    }))
            .build();
    model.calls("find", "{\"name\":\"Oslo\"}");
    assertThatThrownBy(() -> runner.run(interrupting, "hi", session))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(model.requests).hasSize(1);
    assertThat(session.getItems()).hasSize(2);
  }
}
