package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Range;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.memory.MemoryStore;
import dev.clew.sqlite.SqliteStore;
import dev.clew.tck.FaultyStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a session is compacted, from what, and what is left. */
class CompactionSessionTest {
  record City(String name) {}

  private final Script model = new Script();
  private final Runner runner = Runner.with(model);
  private final Agent agent = Agent.builder().name("Guide").build();
  private final StoredSession stored = new MemoryStore().session("s");
  private final Summarised compactor = new Summarised();

  private CompactionSession.Builder over(Compactor chosen) {
    return CompactionSession.builder(stored, chosen);
  }

  private static CompactionTrigger always() {
    return context -> true;
  }

  private RunResult turn(Session session, String question, String answer) {
    model.says(answer);
    return runner.run(agent, question, session);
  }

  private static List<Item> talk(int turns) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < turns; i++) {
      items.add(Item.user("question " + i));
      items.add(Item.assistant("answer " + i));
    }
    return items;
  }

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
  void aResponseThatKnowsTheWholeHistoryIsUsedInsteadOfTheItems() {
    Summarised atProvider = new Summarised(true);
    Session session = over(atProvider).trigger(always()).build();
    turn(session, "a", "1");

    assertThat(atProvider.last().responseId()).contains("resp_1");
    assertThat(atProvider.last().mode()).isEqualTo(CompactionMode.PREVIOUS_RESPONSE_ID);
    turn(session, "b", "2");
    assertThat(atProvider.last().responseId()).contains("resp_2");
  }

  @Test
  void aResponseThatKnowsOnlyAPartIsNotUsed() {
    Summarised atProvider = new Summarised(true);
    Session session = over(atProvider).trigger(always()).build();
    stored.addItems(talk(3));
    model.says("1");
    runner.run(
        agent, RunInput.text("a"), RunConfig.DEFAULT.session(session).window(Window.lastTurns(1)));

    assertThat(atProvider.last().mode()).isEqualTo(CompactionMode.INPUT);
    assertThat(atProvider.last().items()).hasSize(8);
  }

  @Test
  void aResponseThatTheProviderDidNotKeepIsNotUsed() {
    Summarised atProvider = new Summarised(true);
    Session session = over(atProvider).trigger(always()).build();
    model.says("1");
    runner.run(
        agent,
        RunInput.text("a"),
        RunConfig.DEFAULT.session(session).modelSettings(ModelSettings.DEFAULT.store(false)));

    assertThat(atProvider.last().mode()).isEqualTo(CompactionMode.INPUT);
  }

  @Test
  void aResponseThatDoesNotKnowTheToolOutputsIsNotUsed() {
    Agent direct =
        Agent.builder()
            .name("Direct")
            .tools(Tool.of("find", "Finds", City.class, City::name))
            .toolUse(ToolUse.stopOnFirst())
            .build();
    Summarised atProvider = new Summarised(true);
    Session session = over(atProvider).trigger(always()).build();
    model.calls("find", "{\"name\":\"Oslo\"}");
    runner.run(direct, "Oslo", session);

    assertThat(atProvider.last().mode()).isEqualTo(CompactionMode.INPUT);
    assertThat(atProvider.last().items()).hasSize(3);
  }

  @Test
  void theModeOfAPreviousResponseCompactsOnlyWhatTheResponseKnows() {
    Summarised atProvider = new Summarised(true);
    Session session =
        over(atProvider).mode(CompactionMode.PREVIOUS_RESPONSE_ID).trigger(always()).build();
    stored.addItems(talk(3));
    model.says("1");
    runner.run(
        agent, RunInput.text("a"), RunConfig.DEFAULT.session(session).window(Window.lastTurns(1)));
    assertThat(atProvider.requests).isEmpty();
    assertThat(stored.getItems()).hasSize(8);

    turn(session, "b", "2");
    assertThat(atProvider.last().responseId()).contains("resp_2");
  }

  @Test
  void theModeOfTheInputNeverUsesAResponse() {
    Summarised atProvider = new Summarised(true);
    Session session = over(atProvider).mode(CompactionMode.INPUT).trigger(always()).build();
    turn(session, "a", "1");
    assertThat(atProvider.last().mode()).isEqualTo(CompactionMode.INPUT);
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
    assertThat(session.runCompaction().reason()).isEqualTo("there is nothing to compact");

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
  void anEmptySessionIsNotCompacted() {
    assertThat(over(compactor).build().runCompaction().compacted()).isFalse();
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
  void aCallThatWasNeverAnsweredIsLeftOutAndHoldsNothingOff() {
    stored.addItems(List.of(Item.user("a"), Item.functionCall("lost", "find", "{}")));
    turn(over(compactor).trigger(always()).build(), "b", "2");
    assertThat(compactor.last().items())
        .containsExactly(Item.user("a"), Item.user("b"), Item.assistant("2"));
  }

  @Test
  void whatAGuardrailStoppedIsNotCompacted() {
    Agent guarded =
        Agent.builder()
            .name("Guarded")
            .inputGuardrail(
                Guardrail.of(
                    "no secrets",
                    (context, items) ->
                        items.get(0).json().contains("secret")
                            ? Optional.of("secret")
                            : Optional.empty()))
            .build();
    for (Session below : List.of(stored, new MemorySession())) {
      Session session = CompactionSession.builder(below, compactor).trigger(always()).build();
      assertThatThrownBy(() -> runner.run(guarded, "secret", session))
          .isInstanceOf(ClewException.GuardrailTripped.class);
      model.says("hello");
      runner.run(guarded, "hi", session);
      assertThat(compactor.last().items())
          .containsExactly(Item.user("hi"), Item.assistant("hello"));
    }
  }

  @Test
  void theWholeHistoryIsCompactedWhateverTheLimitOfTheSession() {
    MemoryStore store = new MemoryStore();
    StoredSession limited =
        store.session(dev.clew.SessionKey.of("l"), dev.clew.SessionSettings.limit(2));
    limited.addItems(talk(5));
    CompactionSession.over(limited, compactor).runCompaction();
    assertThat(compactor.last().items()).hasSize(10);
  }

  @Test
  void replacedItemsStayReadableUnlessTheyShallBeDropped() {
    stored.addItems(talk(2));
    over(compactor).build().runCompaction();
    assertThat(all(stored)).containsAll(talk(2)).contains(Summarised.item(1)).hasSize(5);

    StoredSession other = new MemoryStore().session("t");
    other.addItems(talk(2));
    CompactionSession.builder(other, compactor).dropOriginals().build().runCompaction();
    assertThat(all(other)).containsExactly(Summarised.item(2));
  }

  private static List<Item> all(StoredSession session) {
    return session.entries(Range.first(Integer.MAX_VALUE).withCompacted()).items();
  }

  @Test
  void itemsThatAreKeptStayInTheirPlaceWithTheirNotes() {
    Session session = over(Compactor.keepNewest(4)).trigger(always()).build();
    turn(session, "a", "1");
    turn(session, "b", "2");
    List<Entry> before = stored.entries(Range.latest(2)).entries();
    turn(session, "c", "3");

    List<Entry> after = stored.entries(Range.first(10)).entries();
    assertThat(after).hasSize(4);
    assertThat(after.subList(0, 2)).isEqualTo(before);
    assertThat(after.get(1).notes()).containsEntry("agent", "Guide");
  }

  @Test
  void inPlaceEverythingStaysAndTheWindowStartsAtTheCompaction() {
    Session session = over(compactor).inPlace().trigger(CompactionTrigger.turns(2)).build();
    turn(session, "a", "1");
    turn(session, "b", "2");
    assertThat(stored.getItems()).hasSize(5).endsWith(Summarised.item(1));

    turn(session, "c", "3");
    assertThat(model.lastInput()).containsExactly(Summarised.item(1), Item.user("c"));
    turn(session, "d", "4");
    assertThat(compactor.last().items()).hasSize(5).startsWith(Summarised.item(1));
    assertThat(compactor.last().intoOneItem()).isTrue();
    assertThat(stored.getItems()).hasSize(10).endsWith(Summarised.item(2));
    assertThatThrownBy(() -> over(Compactor.keepNewest()).inPlace())
        .hasMessageContaining("no compaction item");
  }

  @Test
  void messagesThatTheProviderLeavesAsTheyWereAreShownWithTheCompaction() {
    List<CompactionRequest> requests = new ArrayList<>();
    Compactor atProvider =
        new Compactor() {
          @Override
          public Compaction compact(CompactionRequest request) {
            requests.add(request);
            List<Item> output =
                new ArrayList<>(request.items().stream().filter(Window::startsTurn).toList());
            output.add(Summarised.item(requests.size()));
            return Compaction.of(output);
          }

          @Override
          public boolean canFollowResponses() {
            return true;
          }
        };
    Session session = over(atProvider).trigger(always()).build();
    turn(session, "a", "1");
    turn(session, "b", "2");

    assertThat(model.lastInput())
        .containsExactly(Item.user("a"), Summarised.item(1), Item.user("b"));
    assertThat(requests.get(1).responseId()).contains("resp_2");
    assertThat(stored.getItems())
        .containsExactly(Item.user("a"), Item.user("b"), Summarised.item(2));
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
  void aRunThatFailedIsNotCompacted() {
    Session session = over(compactor).trigger(always()).build();
    model.fails("overloaded");
    assertThatThrownBy(() -> runner.run(agent, "a", session)).hasMessageContaining("overloaded");
    assertThat(compactor.requests).isEmpty();
  }

  @Test
  void anotherProcessGoesOnWithTheCompactedHistory(@TempDir Path folder) {
    Path file = folder.resolve("clew.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      Session session =
          CompactionSession.builder(store.session("s"), compactor).trigger(always()).build();
      turn(session, "a", "1");
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      Session session =
          CompactionSession.builder(store.session("s"), compactor).trigger(always()).build();
      turn(session, "b", "2");
      assertThat(model.lastInput()).containsExactly(Summarised.item(1), Item.user("b"));
      assertThat(session.getItems()).containsExactly(Summarised.item(2));
      assertThat(all(store.session("s"))).hasSize(6);
    }
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

  private static final class Conversation implements ServerManagedSession {
    private final Session session = new MemorySession("conv_1");

    @Override
    public String id() {
      return session.id();
    }

    @Override
    public List<Item> getItems() {
      return session.getItems();
    }

    @Override
    public List<Item> getItems(int limit) {
      return session.getItems(limit);
    }

    @Override
    public void addItems(List<Item> items) {
      session.addItems(items);
    }

    @Override
    public Optional<Item> popItem() {
      return session.popItem();
    }

    @Override
    public void clearSession() {
      session.clearSession();
    }
  }

  @Test
  void aSessionThatTheProviderKeepsIsRefusedWithTheReason() {
    assertThatThrownBy(() -> CompactionSession.over(new Conversation(), compactor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("conv_1")
        .hasMessageContaining("kept by the provider");
    assertThatThrownBy(() -> CompactionSession.over(over(compactor).build(), compactor))
        .hasMessageContaining("already");
  }
}
