package dev.clew.agent;

import dev.clew.Item;
import dev.clew.View;
import dev.clew.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * The compaction item that says in clear what it stands for, and how a model is shown it.
 * Stateless.
 *
 * <p>It is stored as a compaction item, {@code {"type":"compaction","summary":"…"}}, so that
 * windows start there. No model knows that form, so it is shown as a message. That message is a
 * user's: the summary was made of what users and tools said, and must not get the weight of
 * instructions.
 */
final class Summary {
  private static final String SHOWN = "Summary of the conversation so far:\n\n";

  private Summary() {}

  static Item item(String text) {
    return Item.stored(new JsonObject().put("type", "compaction").put("summary", text).json());
  }

  /** The items that a model may see, with summaries in a form that every model reads. */
  static List<Item> shown(List<Item> items) {
    return items.stream()
            .anyMatch(item -> text(item).isPresent() || HiddenItems.isOfFramework(item))
        ? items.stream()
            .filter(item -> !HiddenItems.isOfFramework(item))
            .map(item -> text(item).map(Summary::message).orElse(item))
            .toList()
        : items;
  }

  /** Whether an item stands for a history that was compacted. */
  static boolean isCompaction(Item item) {
    return item.type().startsWith("compaction") && item.view() instanceof View.Compaction;
  }

  private static Optional<String> text(Item item) {
    return item.type().startsWith("compaction")
            && item.view() instanceof View.Compaction compaction
            && compaction.encryptedContent().isEmpty()
        ? compaction.summary()
        : Optional.empty();
  }

  private static Item message(String summary) {
    return Item.user(SHOWN + summary);
  }
}
