package dev.clew.agent;

import dev.clew.Session;
import org.junit.jupiter.api.BeforeEach;

/** What a run promises on any session, a theme in each of the rules. */
abstract class RunnerContract
    implements HistoryRules, ToolRules, AgentRules, StreamRules, ApprovalRules {
  private final Script model = new Script();
  private Session session;

  abstract Session newSession();

  @BeforeEach
  void open() {
    session = newSession();
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public Script model() {
    return model;
  }
}
