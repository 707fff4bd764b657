package dev.clew.examples;

import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.Window;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;

/**
 * To correct what was asked, or to get another answer, take the turn back and run again: the model
 * is not shown the first attempt.
 */
public final class Regenerate {
  private Regenerate() {}

  /** Pops items until the user's message is gone. */
  static void takeBackTurn(Session session) {
    while (session.popItem().filter(item -> !Window.startsTurn(item)).isPresent()) {
      // an answer, a tool call or its output: the question comes before it
    }
  }

  static String correct(Session session, String text) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    takeBackTurn(session);
    return Runner.with(new OfflineModel()).run(agent, text, session).finalOutput();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    BasicSession.talk(session);
    takeBackTurn(session); // the second question
    System.out.println(correct(session, "My name is Grace."));
    session.getItems().forEach(System.out::println);
  }
}
