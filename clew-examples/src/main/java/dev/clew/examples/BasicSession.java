package dev.clew.examples;

import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.List;

/**
 * A session gives an agent a memory: hand the same one to each run, and the runner loads what was
 * said before and stores what is said now.
 *
 * <p>The offline model stands in for a real one in all examples. Put {@code
 * OpenAiModels.fromEnvironment()} in its place and nothing else changes.
 */
public final class BasicSession {
  private BasicSession() {}

  static List<String> talk(Session session) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    Runner runner = Runner.with(new OfflineModel());

    RunResult first = runner.run(agent, "My name is Ada.", session);
    RunResult second = runner.run(agent, "What is my name?", session);
    return List.of(first.finalOutput(), second.finalOutput());
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    talk(session).forEach(System.out::println);
    System.out.println("The session has " + session.getItems().size() + " items.");
  }
}
