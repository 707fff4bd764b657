package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides after a turn whether the history is to be compacted. Implementations are thread-safe.
 *
 * <pre>{@code
 * CompactionTrigger.items(200)
 * CompactionTrigger.candidates(12)
 * context -> context.sessionItems().size() > 200
 * }</pre>
 */
@FunctionalInterface
public interface CompactionTrigger {
  /** How many items that could be compacted are enough, unless said otherwise. */
  int DEFAULT_CANDIDATES = 10;

  /** Whether to compact now. */
  boolean shouldCompact(Context context);

  /** When the history has at least this many items of any kind. */
  static CompactionTrigger items(int atLeast) {
    return context -> context.sessionItems().size() >= atLeast;
  }

  /**
   * When there are at least this many items that are neither user messages nor compaction items.
   */
  static CompactionTrigger candidates(int atLeast) {
    return context -> context.candidateItems().size() >= atLeast;
  }

  /** When there are at least this many turns. */
  static CompactionTrigger turns(int atLeast) {
    return context ->
        context.sessionItems().stream().filter(Window::startsTurn).limit(atLeast).count()
            >= atLeast;
  }

  /** When the history has at least this many tokens, as the newest OpenAI models count (o200k). */
  static CompactionTrigger tokens(long atLeast) {
    return tokens(atLeast, "");
  }

  /** When the history has at least this many tokens, as this model counts. */
  static CompactionTrigger tokens(long atLeast, String model) {
    TokenCounter counter = TokenCounter.forModel(model);
    return context -> counter.count(context.sessionItems()) >= atLeast;
  }

  /** Never by itself: only by hand, with {@link CompactionOptions#FORCE}. */
  static CompactionTrigger never() {
    return context -> false;
  }

  /** What the decision is based on. The session is read only when its items are needed. */
  final class Context {
    private final Optional<String> responseId;
    private final Supplier<CompactionMode> mode;
    private final Supplier<List<Item>> items;

    Context(
        Optional<String> responseId, Supplier<CompactionMode> mode, Supplier<List<Item>> items) {
      this.responseId = responseId;
      this.mode = mode;
      this.items = items;
    }

    /** The provider's id of the last response. */
    public Optional<String> responseId() {
      return responseId;
    }

    /** What would be compacted: the response or the items. */
    public CompactionMode mode() {
      return mode.get();
    }

    /** The items that are neither user messages nor compaction items. */
    public List<Item> candidateItems() {
      return items.get().stream().filter(Context::isCandidate).toList();
    }

    /** The items of the session, those in place of earlier ones included. */
    public List<Item> sessionItems() {
      return items.get();
    }

    private static boolean isCandidate(Item item) {
      View view = item.view();
      return !(view instanceof View.Compaction)
          && !(view instanceof View.Message message && message.role() == Role.USER);
    }
  }
}
