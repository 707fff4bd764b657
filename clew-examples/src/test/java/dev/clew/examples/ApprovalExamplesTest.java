package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.agent.Agent;
import dev.clew.agent.Interruption;
import dev.clew.demo.ScheduleAssistant;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of people who decide. */
class ApprovalExamplesTest {
  private static final String[] TURN = {
    "message", "function_call", "function_call_output", "message"
  };
  private final Agent agent =
      ScheduleAssistant.agent(
          Clock.fixed(Instant.parse("2026-03-04T10:00:00Z"), ZoneOffset.UTC), ZoneOffset.UTC);

  @Test
  void humanApproval_callsTheToolOnlyAfterAYes() {
    Session session = new MemorySession();
    List<Interruption> asked = new ArrayList<>();
    HumanApproval.run(agent, "meeting tomorrow at 2pm", session, call -> !asked.add(call));
    assertThat(asked).isEmpty();

    assertThat(HumanApproval.run(agent, "cancel it", session, call -> !asked.add(call)))
        .isEqualTo("Not cancelled: \"meeting\" stays.");
    assertThat(HumanApproval.run(agent, "cancel it", session, asked::add))
        .isEqualTo("Cancelled: \"meeting\", Thursday 5 March 2026, 14:00.");
    assertThat(asked).extracting(Interruption::toolName).containsOnly("cancel_event").hasSize(2);
    assertThat(session.getItems(8).subList(4, 8)).extracting(Item::type).containsExactly(TURN);
    assertThat(session.getItems(8).get(2).json()).contains("The user said no.");
  }

  @Test
  void approvalAcrossRestart_goesOnInTheSameHistoryWithNothingTwice(@TempDir Path folder) {
    Path file = folder.resolve("approvals.db");
    SessionKey key = new SessionKey("ada", "chat");
    try (SessionStore store = SqliteStore.open(file)) {
      ApprovalAcrossRestart.ask(store, "ada");
      assertThat(store.session(key).getItems())
          .extracting(Item::type)
          .containsExactly(
              "message",
              "function_call",
              "function_call_output",
              "message", // entered
              "message",
              "function_call"); // asked to cancel
    }
    try (SessionStore store = SqliteStore.open(file)) {
      assertThat(ApprovalAcrossRestart.approve(store, "ada")).startsWith("Cancelled: \"dentist\"");
      List<Item> items = store.session(key).getItems();
      assertThat(items).hasSize(8);
      assertThat(items.subList(4, 8)).extracting(Item::type).containsExactly(TURN);
      assertThat(store.documents().get("ada", "waiting-run")).isEmpty();
    }
  }
}
