package dev.clew.examples;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.List;

/**
 * A session in memory can start with a history: one that was kept elsewhere, or made up for a test.
 * Its id is for logs; without one it is random.
 */
public final class SeededMemory {
  private SeededMemory() {}

  static Session withHistory() {
    return new MemorySession(
        "session-123",
        List.of(Item.user("My name is Ada."), Item.assistant("Nice to meet you, Ada.")));
  }

  static String ask(Session session) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    return Runner.with(new OfflineModel()).run(agent, "What is my name?", session).finalOutput();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = withHistory();
    System.out.println(session.id() + ": " + ask(session));
  }
}
