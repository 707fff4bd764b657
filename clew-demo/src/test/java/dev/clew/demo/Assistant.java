package dev.clew.demo;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Interruption;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunState;
import dev.clew.agent.Runner;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;

/** Somebody who talks to the assistant on Wednesday 4 March 2026 at 10:00, and agrees to all. */
final class Assistant {
  static final ZoneId ZONE = ZoneId.of("Asia/Shanghai");
  static final Clock CLOCK = at("2026-03-04T10:00");

  final Agent agent = ScheduleAssistant.agent(CLOCK, ZONE);
  final Runner runner = Runner.with(new OfflineModel());
  private final Session session;

  Assistant(Session session) {
    this.session = session;
  }

  static Clock at(String local) {
    return Clock.fixed(LocalDateTime.parse(local).atZone(ZONE).toInstant(), ZONE);
  }

  /** The answer. */
  String says(String text) {
    return run(text).finalOutput();
  }

  RunResult run(String text) {
    RunResult result = runner.run(agent, text, session);
    while (!result.interruptions().isEmpty()) {
      RunState state = result.toState();
      for (Interruption interruption : result.interruptions()) {
        state.approve(interruption);
      }
      result = resume(state);
    }
    return result;
  }

  RunResult resume(RunState state) {
    return runner.run(agent, state, session);
  }

  static List<String> tools(RunResult result) {
    return result.newItems().stream()
        .map(Item::view)
        .filter(view -> view instanceof View.FunctionCall)
        .map(view -> ((View.FunctionCall) view).name())
        .toList();
  }
}
