package dev.clew.examples;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.agent.Agent;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunState;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import dev.clew.demo.ScheduleAssistant;
import dev.clew.sqlite.SqliteStore;
import java.time.Clock;
import java.time.ZoneOffset;

/**
 * A decision may take days: the state of a run that waits for one is JSON. It is kept beside the
 * sessions here, and another process, opening the same store, goes on where the first one stopped.
 */
public final class ApprovalAcrossRestart {
  private static final Agent AGENT = ScheduleAssistant.agent(Clock.systemUTC(), ZoneOffset.UTC);
  private static final Runner RUNNER = Runner.with(new OfflineModel());

  private ApprovalAcrossRestart() {}

  /** One process: gets as far as it can and saves what has to be decided. */
  static void ask(SessionStore store, String user) {
    StoredSession session = store.session(new SessionKey(user, "chat"));
    RUNNER.run(AGENT, "dentist tomorrow at 9am", session);
    RunResult result = RUNNER.run(AGENT, "cancel it", session);
    store.documents().put(user, "waiting-run", result.toState().toJson());
  }

  /** Another one, when the person has said yes. */
  static String approve(SessionStore store, String user) {
    String json = store.documents().get(user, "waiting-run").orElseThrow().json();
    RunState state = RunState.fromJson(json);
    state.interruptions().forEach(state::approve);
    String answer =
        RUNNER.run(AGENT, state, store.session(new SessionKey(user, "chat"))).finalOutput();
    store.documents().delete(user, "waiting-run");
    return answer;
  }

  /** Runs the example. */
  public static void main(String[] args) {
    String file = args.length > 0 ? args[0] : "approvals.db";
    try (SessionStore store = SqliteStore.open(file)) {
      ask(store, "ada");
      System.out.println("Waiting for a person; the program ends here.");
    }
    try (SessionStore store = SqliteStore.open(file)) {
      System.out.println(approve(store, "ada"));
    }
  }
}
