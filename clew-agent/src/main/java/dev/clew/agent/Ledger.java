package dev.clew.agent;

import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionSettings;
import dev.clew.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a run does with its session: read before, append as it goes. Used by one run, on one thread
 * at a time.
 */
interface Ledger extends AutoCloseable {

  /** The part of the history that the model may see. */
  List<Item> read(Optional<Window> window);

  /** The window that settings of a session stand for. */
  static Window window(SessionSettings settings) {
    if (settings.limit().isEmpty()) {
      return Window.all();
    }
    int limit = settings.limit().getAsInt();
    return limit == 0 ? session -> List.of() : Window.lastItems(limit);
  }

  /** Appends, once for each operation id; whether it had been appended before. */
  boolean append(String operationId, List<Draft> drafts);

  /** Appends items that a guardrail has stopped. */
  void appendBlocked(String operationId, List<Item> items, String guardrail);

  /** What was stored after an earlier append with this id, up to the next user message. */
  default List<Item> after(String operationId, List<Item> items) {
    return List.of();
  }

  /**
   * The run has ended and is stored completely.
   *
   * @param last the last response of the provider
   * @param known what that response knows of the history
   * @param events receives the events of a compaction
   * @return what was spent on compaction
   */
  default Usage finished(CompactionOptions last, List<Item> known, Consumer<RunEvent> events) {
    return Usage.NONE;
  }

  @Override
  default void close() {}

  /** For a run without a session. */
  Ledger NONE =
      new Ledger() {
        @Override
        public List<Item> read(Optional<Window> window) {
          return List.of();
        }

        @Override
        public boolean append(String operationId, List<Draft> drafts) {
          return false;
        }

        @Override
        public void appendBlocked(String operationId, List<Item> items, String guardrail) {}
      };
}
