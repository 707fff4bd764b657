package dev.clew.examples;

import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.CompactionOptions;
import dev.clew.agent.CompactionReport;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.CompactionTrigger;
import dev.clew.agent.Compactor;
import dev.clew.agent.RunStream;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;

/**
 * A streamed run ends when the compaction after it does. Where that is too long, switch the
 * automatic off and compact between turns, or when nobody waits.
 */
public final class ManualCompaction {
  private ManualCompaction() {}

  static CompactionSession wrap(Session session) {
    return CompactionSession.builder(session, Compactor.keepNewest(4))
        .trigger(CompactionTrigger.never())
        .build();
  }

  static String turn(CompactionSession session, String text) {
    Agent agent = Agent.builder().name("Support").instructions("Answer briefly.").build();
    try (RunStream stream = Runner.with(new OfflineModel()).runStreamed(agent, text, session)) {
      return stream.result().finalOutput();
    }
  }

  static CompactionReport compactBetweenTurns(CompactionSession session) {
    return session.runCompaction(CompactionOptions.FORCE);
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      CompactionSession session = wrap(store.session("chat"));
      turn(session, "Hello");
      turn(session, "My name is Ada.");
      turn(session, "Thanks!");
      System.out.println("Before: " + session.getItems().size() + " items");
      CompactionReport report = compactBetweenTurns(session);
      System.out.println("After: " + report.itemsAfter() + " items");
      System.out.println(turn(session, "What is my name?"));
    }
  }
}
