package dev.clew.examples;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.agent.CompactionOptions;
import dev.clew.agent.CompactionReport;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Compactor;
import java.util.List;

/**
 * Keep-newest is the compaction without a model: the newest items stay, and every system message.
 * It takes one transaction, never parts a tool call from its output, and what was replaced stays
 * readable for people.
 */
public final class CompressHistory {
  private CompressHistory() {}

  static CompactionReport compress(StoredSession session, int targetCount) {
    return CompactionSession.over(session, Compactor.keepNewest(targetCount))
        .runCompaction(CompactionOptions.FORCE);
  }

  /** Runs the example. */
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession session = store.session("chat");
      session.addItems(List.of(Item.system("You are a support agent.")));
      for (int i = 1; i <= 30; i++) {
        session.addItems(List.of(Item.user("Question " + i), Item.assistant("Answer " + i)));
      }

      CompactionReport report = compress(session, 20);

      System.out.println(report.itemsBefore() + " -> " + report.itemsAfter() + " items");
      System.out.println("first: " + session.getItems().get(0));
      System.out.println("second: " + session.getItems().get(1));
      Range everything = Range.first(1000).withCompacted();
      long old = session.entries(everything).entries().stream().filter(Entry::compacted).count();
      System.out.println("Replaced, but readable on request: " + old + " items");
    }
  }
}
