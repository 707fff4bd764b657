package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.agent.Compaction;
import dev.clew.agent.CompactionRequest;
import dev.clew.agent.Compactor;
import dev.clew.agent.Usage;
import dev.clew.server.internal.responses.TurnPreparer.PreparedTurn;
import dev.clew.server.internal.runs.CompactionSeal;
import java.util.List;
import java.util.Optional;

/** Compacts contexts with a summary by the model. Thread-safe. */
record Compacting(Compactor compactor, ModelContext context, CompactionSeal seal) {
  /**
   * A compacted context. Immutable.
   *
   * @param item the sealed summary
   */
  record Compacted(Item item, Usage usage) {}

  Compacted compact(String owner, List<Item> items) {
    Compaction made =
        compactor.compact(
            new CompactionRequest(context.open(owner, items), Optional.empty(), true));
    String summary =
        made.items().stream()
            .map(Item::view)
            .filter(View.Compaction.class::isInstance)
            .flatMap(view -> ((View.Compaction) view).summary().stream())
            .findFirst()
            .orElseThrow(
                () -> new ClewException.ModelFailed("the model wrote no summary", null, true));
    return new Compacted(seal.seal(owner, summary), made.usage());
  }

  /**
   * Whether the history of a turn must be compacted first: on request, or because it is too long.
   * Never in the middle of a turn, after the output of a tool, because the model's plan would be
   * lost.
   */
  boolean isDue(String owner, CreateRequest request, PreparedTurn turn) {
    if (turn.history().isEmpty() || !turn.input().stream().allMatch(Window::isLeftByCompaction)) {
      return false;
    }
    return request.wantsCompaction()
        || (request.compactAt().isPresent()
            && context.tokens(owner, request, turn.context()) > request.compactAt().get());
  }
}
