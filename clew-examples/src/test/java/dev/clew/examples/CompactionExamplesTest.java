package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.StoredSession;
import dev.clew.agent.CompactionReport;
import dev.clew.agent.CompactionSession;
import dev.clew.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of compaction that need no provider. */
class CompactionExamplesTest {
  private final MemoryStore store = new MemoryStore();
  private final StoredSession session = store.session("chat");

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void compressHistory_keepsTheNewestAndTheSystemMessage() {
    Item system = Item.system("You are a support agent.");
    session.addItems(List.of(system));
    for (int i = 1; i <= 5; i++) {
      session.addItems(List.of(Item.user("Question " + i), Item.assistant("Answer " + i)));
    }
    CompactionReport report = CompressHistory.compress(session, 5);

    assertThat(report.compacted()).isTrue();
    assertThat(session.getItems())
        .containsExactly(
            system,
            Item.user("Question 4"),
            Item.assistant("Answer 4"),
            Item.user("Question 5"),
            Item.assistant("Answer 5"));
    assertThat(CompressHistory.compress(session, 5).compacted()).isFalse();
  }

  @Test
  void manualCompaction_happensOnlyWhenItIsAskedFor() {
    CompactionSession compacted = ManualCompaction.wrap(session);
    for (int i = 0; i < 12; i++) {
      ManualCompaction.turn(compacted, "Thanks!");
    }
    assertThat(session.getItems()).hasSize(24);
    CompactionReport report = ManualCompaction.compactBetweenTurns(compacted);

    assertThat(report.itemsBefore()).isEqualTo(24);
    assertThat(session.getItems()).hasSize(4);
  }
}
