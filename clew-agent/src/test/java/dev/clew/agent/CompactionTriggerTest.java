package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.FaultyStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a session is compacted, and when not. */
class CompactionTriggerTest extends Compacting {
  @Test
  void tenItemsThatAreNotAUsersAreReasonToCompact() {
    Session session = over(compactor).build();
    session.addItems(talk(8));
    turn(session, "a", "9");
    assertThat(compactor.requests).isEmpty();

    RunResult result = turn(session, "b", "10");

    assertThat(compactor.last().items()).hasSize(20);
    assertThat(stored.getItems()).containsExactly(Summarised.item(1));
    assertThat(result.requests()).hasSize(2);
    assertThat(result.usage().inputTokens()).isEqualTo(19 + Summarised.COST.inputTokens());
    turn(session, "c", "11");
    assertThat(model.lastInput()).containsExactly(Summarised.item(1), Item.user("c"));
    assertThat(compactor.requests).hasSize(1);
  }

  @Test
  void turnsAndTokensCanBeReasonToCompact() {
    Session session = over(compactor).trigger(CompactionTrigger.turns(3)).build();
    turn(session, "a", "1");
    turn(session, "b", "2");
    assertThat(compactor.requests).isEmpty();
    turn(session, "c", "3");
    assertThat(compactor.requests).hasSize(1);

    Session byTokens =
        CompactionSession.builder(new MemorySession(), compactor)
            .trigger(CompactionTrigger.tokens(100))
            .build();
    turn(byTokens, "a", "1");
    assertThat(compactor.requests).hasSize(1);
    turn(byTokens, "b", "word ".repeat(90));
    assertThat(compactor.requests).hasSize(2);
  }

  @Test
  void theTriggerIsToldWhatThereIsToDecideBy() {
    List<CompactionTrigger.Context> seen = new ArrayList<>();
    Summarised atProvider = new Summarised(true);
    Session session =
        over(atProvider)
            .trigger(
                context -> {
                  seen.add(context);
                  return false;
                })
            .build();
    session.addItems(List.of(Item.user("x"), Summarised.item(0)));
    turn(session, "a", "1");

    assertThat(seen).hasSize(1);
    assertThat(seen.get(0).responseId()).contains("resp_1");
    assertThat(seen.get(0).candidateItems()).containsExactly(Item.assistant("1"));
    assertThat(seen.get(0).sessionItems()).hasSize(4);
    // The model was not shown "x": the compaction item stands for it.
    assertThat(seen.get(0).mode()).isEqualTo(CompactionMode.PREVIOUS_RESPONSE_ID);
    turn(session, "b", "2");
    assertThat(atProvider.requests).isEmpty();
  }

  @Test
  void byHandEveryArgumentCounts() {
    Summarised atProvider = new Summarised(true);
    CompactionSession session = over(atProvider).trigger(CompactionTrigger.never()).build();
    stored.addItems(talk(1));

    CompactionReport no = session.runCompaction(CompactionOptions.DEFAULT);
    assertThat(no.compacted()).isFalse();
    assertThat(no.reason()).isEqualTo("there is no reason to");

    assertThat(session.runCompaction(CompactionOptions.FORCE.responseId("resp_9")).compacted())
        .isTrue();
    assertThat(atProvider.last().responseId()).contains("resp_9");

    stored.addItems(talk(1));
    session.runCompaction(CompactionOptions.FORCE.responseId("resp_9").store(false));
    assertThat(atProvider.last().mode()).isEqualTo(CompactionMode.INPUT);

    stored.addItems(talk(1));
    CompactionReport report =
        session.runCompaction(
            CompactionOptions.FORCE
                .responseId("resp_9")
                .compactionMode(CompactionMode.PREVIOUS_RESPONSE_ID));
    assertThat(atProvider.last().responseId()).contains("resp_9");
    assertThat(report)
        .isEqualTo(new CompactionReport(true, "it was asked for", 3, 1, Summarised.COST));
    assertThat(session.usage().requests()).isEqualTo(3);
    assertThat(session.runCompaction(CompactionOptions.FORCE).reason())
        .isEqualTo("there is nothing to compact");

    assertThatThrownBy(
            () ->
                session.runCompaction(
                    CompactionOptions.FORCE.compactionMode(CompactionMode.PREVIOUS_RESPONSE_ID)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("responseId");
    assertThatThrownBy(() -> over(compactor).mode(CompactionMode.PREVIOUS_RESPONSE_ID))
        .hasMessageContaining("AUTO or INPUT");
  }

  @Test
  void byHandWithoutArguments_theTriggerIsAsked() {
    stored.addItems(talk(1));
    assertThat(over(compactor).trigger(context -> false).build().runCompaction().compacted())
        .isFalse();
    assertThat(compactor.requests).isEmpty();
    assertThat(over(compactor).trigger(always()).build().runCompaction().compacted()).isTrue();
  }

  @Test
  void theNumberOfItemsIsThatOfAll() {
    stored.addItems(talk(2));
    int all = stored.getItems().size();
    assertThat(over(compactor).trigger(CompactionTrigger.items(all + 1)).build().runCompaction())
        .extracting(CompactionReport::compacted)
        .isEqualTo(false);
    assertThat(over(compactor).trigger(CompactionTrigger.items(all)).build().runCompaction())
        .extracting(CompactionReport::compacted)
        .isEqualTo(true);
  }

  @Test
  void anEmptySessionIsNotCompacted() {
    assertThat(over(compactor).build().runCompaction(CompactionOptions.FORCE).compacted())
        .isFalse();
    assertThat(stored.info()).isEmpty();
  }

  @Test
  void aRunThatWaitsForAPersonIsNotCompacted() {
    Agent careful =
        Agent.builder()
            .name("Careful")
            .tools(Tool.of("find", "Finds", City.class, City::name).needingApproval())
            .build();
    CompactionSession session = over(compactor).trigger(always()).build();
    model.calls("find", "{\"name\":\"Oslo\"}");
    RunResult stopped = runner.run(careful, "Find", session);
    assertThat(compactor.requests).isEmpty();

    CompactionReport report = session.runCompaction();
    assertThat(report.reason()).isEqualTo("a call waits for its output");
    assertThat(stored.getItems()).hasSize(2);

    RunState state = stopped.toState();
    state.approve(stopped.interruptions().get(0));
    model.says("done");
    runner.run(careful, RunInput.state(state), RunConfig.DEFAULT.session(session));
    assertThat(compactor.last().items()).hasSize(4);
    assertThat(stored.getItems()).containsExactly(Summarised.item(1));
  }

  @Test
  void aRunThatFailedIsNotCompacted() {
    Session session = over(compactor).trigger(always()).build();
    model.fails("overloaded");
    assertThatThrownBy(() -> runner.run(agent, "a", session)).hasMessageContaining("overloaded");
    assertThat(compactor.requests).isEmpty();
  }

  @Test
  void aStreamedRunWaitsForItsCompaction() {
    Session session = over(compactor).trigger(always()).build();
    model.says("1");
    try (RunStream stream = runner.runStreamed(agent, "a", session)) {
      assertThat(stream.result().usage().requests()).isEqualTo(2);
    }
    assertThat(stored.getItems()).containsExactly(Summarised.item(1));
  }

  @Test
  void inPlaceOnlyTheEndOfALongHistoryIsReadAfterATurn() {
    FaultyStore store = new FaultyStore(new MemoryStore());
    StoredSession longOne = store.session("long");
    longOne.addItems(talk(10_000));
    longOne.addItems(List.of(Summarised.item(0)));
    longOne.addItems(talk(60));
    List<Integer> seen = new ArrayList<>();
    for (Session below : List.of(longOne, new MemorySession("m", longOne.getItems()))) {
      Session session =
          CompactionSession.builder(below, compactor)
              .inPlace()
              .trigger(
                  context -> {
                    seen.add(context.sessionItems().size());
                    return true;
                  })
              .build();
      turn(session, "a", "1");
      assertThat(below.getItems()).hasSize(20_124).endsWith(Summarised.item(seen.size()));
    }
    assertThat(seen).containsExactly(123, 123);
    assertThat(store.calls("read")).isLessThan(10);
  }
}
