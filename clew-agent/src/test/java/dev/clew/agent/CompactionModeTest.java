package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Session;
import dev.clew.Window;
import org.junit.jupiter.api.Test;

/** From what a session is compacted: from a response that the provider keeps, or from its items. */
class CompactionModeTest extends Compacting {
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
}
