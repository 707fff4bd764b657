package dev.clew.examples;

import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import dev.clew.demo.ScheduleAssistant;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;

/**
 * A session belongs to a conversation, not to an agent: two agents that are given the same one know
 * the same things, and one agent with another session starts afresh.
 */
public final class SharedSession {
  private SharedSession() {}

  static List<String> talk(Session session, Session other) {
    Agent reception = Agent.builder().name("Reception").instructions("Welcome guests.").build();
    Agent secretary = ScheduleAssistant.agent(Clock.systemUTC(), ZoneOffset.UTC);
    Runner runner = Runner.with(new OfflineModel());
    return List.of(
        runner.run(reception, "My name is Ada.", session).finalOutput(),
        runner.run(secretary, "What is my name?", session).finalOutput(),
        runner.run(secretary, "What is my name?", other).finalOutput());
  }

  /** Runs the example. */
  public static void main(String[] args) {
    talk(new MemorySession("ada"), new MemorySession("somebody")).forEach(System.out::println);
  }
}
