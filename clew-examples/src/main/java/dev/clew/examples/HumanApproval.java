package dev.clew.examples;

import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.Interruption;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunState;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import dev.clew.demo.ScheduleAssistant;
import java.time.Clock;
import java.time.ZoneId;
import java.util.function.Predicate;

/**
 * A run stops before a tool that needs a person's approval, and goes on with the same session when
 * the person has decided: one history, nothing twice.
 */
public final class HumanApproval {
  private HumanApproval() {}

  static String run(Agent agent, String text, Session session, Predicate<Interruption> person) {
    Runner runner = Runner.with(new OfflineModel());
    RunResult result = runner.run(agent, text, session);
    while (!result.interruptions().isEmpty()) {
      RunState state = result.toState();
      for (Interruption call : result.interruptions()) {
        if (person.test(call)) {
          state.approve(call);
        } else {
          state.reject(call, "The user said no.");
        }
      }
      result = runner.run(agent, state, session);
    }
    return result.finalOutput();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Agent agent = ScheduleAssistant.agent(Clock.systemUTC(), ZoneId.of("Europe/Berlin"));
    Session session = new MemorySession();
    Predicate<Interruption> yes =
        call -> {
          System.out.println("May I call " + call.toolName() + call.arguments() + "? Yes.");
          return true;
        };
    System.out.println(run(agent, "meeting tomorrow at 2pm", session, yes));
    System.out.println(run(agent, "cancel it", session, call -> false));
    System.out.println(run(agent, "cancel it", session, yes));
  }
}
