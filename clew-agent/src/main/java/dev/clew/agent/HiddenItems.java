package dev.clew.agent;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.View;
import dev.clew.json.Json;
import java.util.List;
import java.util.Map;

/**
 * What of a history is stored and shown to no model. Stateless.
 *
 * <ul>
 *   <li>What a guardrail stopped: its entry has a note; in a session without notes, the item has a
 *       field more.
 *   <li>Reasoning that another provider sealed: an entry with the note {@code "provider"}, other
 *       than {@code "openai"}, whose reasoning has {@code encrypted_content}. Only that provider
 *       can read it, and OpenAI refuses the whole request. Code that stores the reasoning of
 *       another provider writes the note. Runs leave such entries out when they load the history.
 *   <li>Items in which another framework keeps what has no form here: their type begins with {@code
 *       langchain4j_}, {@code springai_}, {@code adk_} or {@code agentscope_}.
 * </ul>
 */
public final class HiddenItems {
  private static final String BLOCKED_NOTE = "blocked_by";
  private static final String BLOCKED_FIELD = "clew_blocked_by";
  private static final String PROVIDER = "provider";
  private static final List<String> FRAMEWORKS =
      List.of("langchain4j_", "springai_", "adk_", "agentscope_");

  private HiddenItems() {}

  /** Whether the notes of an entry say that no model is shown its item. */
  public static boolean isHidden(Entry entry) {
    return entry.notes().containsKey(BLOCKED_NOTE) || isSealedElsewhere(entry);
  }

  private static boolean isSealedElsewhere(Entry entry) {
    Object provider = entry.notes().get(PROVIDER);
    return provider != null
        && !provider.equals("openai")
        && entry.item().view() instanceof View.Reasoning reasoning
        && reasoning.encryptedContent().isPresent();
  }

  /** Whether an item is one that another framework keeps for itself. */
  public static boolean isOfFramework(Item item) {
    return FRAMEWORKS.stream().anyMatch(item.type()::startsWith);
  }

  /** An item that a guardrail stopped, for a store. */
  static Draft blocked(Item item, String guardrail) {
    return new Draft(item, Map.of(BLOCKED_NOTE, guardrail));
  }

  /** The same for a session without notes; it does no harm, because no model is sent it. */
  static Item marked(Item item, String guardrail) {
    String json = item.json();
    return Item.stored(
        json.substring(0, json.length() - 1)
            + (json.equals("{}") ? "" : ",")
            + Json.quote(BLOCKED_FIELD)
            + ":"
            + Json.quote(guardrail)
            + "}");
  }

  static boolean isMarked(Item item) {
    return item.json().contains(BLOCKED_FIELD)
        && Json.fields(item.json()).containsKey(BLOCKED_FIELD);
  }
}
