package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;

/** A session in a store that is compacted by a script: what the tests of compaction share. */
abstract class Compacting {
  record City(String name) {}

  final Script model = new Script();
  final Runner runner = Runner.with(model);
  final Agent agent = Agent.builder().name("Guide").build();
  final StoredSession stored = new MemoryStore().session("s");
  final Summarised compactor = new Summarised();

  CompactionSession.Builder over(Compactor chosen) {
    return CompactionSession.builder(stored, chosen);
  }

  static CompactionTrigger always() {
    return context -> true;
  }

  RunResult turn(Session session, String question, String answer) {
    model.says(answer);
    return runner.run(agent, question, session);
  }

  static List<Item> talk(int turns) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < turns; i++) {
      items.add(Item.user("question " + i));
      items.add(Item.assistant("answer " + i));
    }
    return items;
  }

  static List<Item> all(StoredSession session) {
    return session.entries(Range.first(Integer.MAX_VALUE).withCompacted()).items();
  }
}
