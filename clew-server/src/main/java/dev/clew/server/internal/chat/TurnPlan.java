package dev.clew.server.internal.chat;

import dev.clew.Item;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunState;
import java.util.List;
import java.util.Optional;

/**
 * What a turn does. Immutable.
 *
 * @param operationId identifies a repeated message
 * @param version of the document of a run that continues
 * @param waits whether it waits, for as long as it takes, while another turn runs
 */
public record TurnPlan(
    Kind kind, RunInput input, Optional<String> operationId, long version, boolean waits) {
  enum Kind {
    ANSWER,
    ANSWER_AGAIN,
    CONTINUE
  }

  static TurnPlan answer(Item message, Optional<String> operationId, boolean waits) {
    return new TurnPlan(Kind.ANSWER, RunInput.items(List.of(message)), operationId, 0, waits);
  }

  public static TurnPlan answerAgain() {
    return new TurnPlan(Kind.ANSWER_AGAIN, RunInput.items(List.of()), Optional.empty(), 0, false);
  }

  /** Continues a run after a decision. */
  public static TurnPlan resume(RunState state, long version) {
    return new TurnPlan(Kind.CONTINUE, RunInput.state(state), Optional.empty(), version, false);
  }

  boolean resumes() {
    return kind == Kind.CONTINUE;
  }
}
