package dev.clew.server.internal.chat;

import dev.clew.Item;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunState;
import java.util.List;
import java.util.Optional;

/** What a turn shall do. Immutable. */
public sealed interface TurnPlan {

  /**
   * Answer a message.
   *
   * @param operationId by which a message that is sent again is known
   */
  record Say(Item message, Optional<String> operationId) implements TurnPlan {
    @Override
    public RunInput input() {
      return RunInput.items(List.of(message));
    }
  }

  /** Answer the last message again. */
  record Again() implements TurnPlan {
    @Override
    public RunInput input() {
      return RunInput.items(List.of());
    }
  }

  /** Go on after a decision; {@code version} is that of the record of the run. */
  record GoOn(RunState state, long version) implements TurnPlan {
    @Override
    public RunInput input() {
      return RunInput.state(state);
    }
  }

  /** What the run begins with. */
  RunInput input();
}
