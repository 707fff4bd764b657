package dev.clew.openai;

import dev.clew.Item;
import dev.clew.internal.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Items on their way into a conversation at the provider. Stateless. */
final class ConversationItems {
  /** The types whose ids mean something to the provider; it gives the others new ones. */
  private static final Set<String> IDS_KEPT =
      Set.of(
          "file_search_call",
          "web_search_call",
          "computer_call",
          "code_interpreter_call",
          "image_generation_call",
          "local_shell_call",
          "local_shell_call_output",
          "mcp_list_tools",
          "mcp_approval_request",
          "mcp_call",
          "item_reference",
          "program",
          "program_output",
          "reasoning");

  /** How a run marks an item that a guardrail has stopped. */
  private static final String BLOCKED = "clew_blocked_by";

  private ConversationItems() {}

  /**
   * The JSON text to send, or nothing for an item that cannot be kept there: reasoning of another
   * provider, and what a guardrail has stopped. The API refuses its mark, and without the mark the
   * model would be shown it.
   */
  static Optional<String> of(Item item) {
    if (item.json().contains(BLOCKED) && Json.fields(item.json()).containsKey(BLOCKED)) {
      return Optional.empty();
    }
    return ResponsesInput.of(item)
        .map(
            json -> item.id().isEmpty() || IDS_KEPT.contains(item.type()) ? json : withoutId(json));
  }

  private static String withoutId(String json) {
    Map<String, String> fields = Json.fields(json);
    RawObject out = new RawObject();
    fields.forEach(
        (name, raw) -> {
          if (!name.equals("id")) {
            out.raw(name, raw);
          }
        });
    return out.json();
  }
}
