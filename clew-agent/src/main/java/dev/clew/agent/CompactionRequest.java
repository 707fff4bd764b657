package dev.clew.agent;

import dev.clew.Item;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link Compactor} is asked to compact. Immutable.
 *
 * @param items the history as it is stored, oldest first: every call has its output, and none is
 *     hidden by its notes ({@link HiddenItems})
 * @param responseId the provider's response that knows all of these items; if present, the
 *     compactor should use it instead of sending the items
 * @param intoOneItem whether a single compaction item has to stand for everything, because it is
 *     added after the items and a window starts there
 */
public record CompactionRequest(
    List<Item> items, Optional<String> responseId, boolean intoOneItem) {
  /** Makes the list unmodifiable. */
  public CompactionRequest {
    items = List.copyOf(items);
  }

  /** The items that a model may see, in the form that every model reads. */
  public List<Item> modelInput() {
    return McpItems.asFunctions(Summary.shown(items));
  }

  /** From what: the response, or the items. */
  public CompactionMode mode() {
    return responseId.isPresent() ? CompactionMode.PREVIOUS_RESPONSE_ID : CompactionMode.INPUT;
  }
}
