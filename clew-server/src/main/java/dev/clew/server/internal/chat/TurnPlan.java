package dev.clew.server.internal.chat;

import dev.clew.Item;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunState;
import java.util.List;
import java.util.Optional;

/** What a turn does. Immutable. */
public sealed interface TurnPlan {

  /**
   * Answers a message.
   *
   * @param operationId identifies a repeated message
   */
  record Say(Item message, Optional<String> operationId) implements TurnPlan {
    @Override
    public RunInput input() {
      return RunInput.items(List.of(message));
    }
  }

  /** Answers the last message again. */
  record Again() implements TurnPlan {
    @Override
    public RunInput input() {
      return RunInput.items(List.of());
    }
  }

  /**
   * Continues after a decision.
   *
   * @param version of the run's document
   */
  record GoOn(RunState state, long version) implements TurnPlan {
    @Override
    public RunInput input() {
      return RunInput.state(state);
    }
  }

  /** The input of the run. */
  RunInput input();
}
