package dev.clew.openai;

import dev.clew.Item;
import dev.clew.agent.Guardrail;
import java.util.Optional;
import java.util.Set;

/** Items on their way into a conversation at the provider. Stateless. */
final class ConversationItems {
  /** The types that the provider gives ids of its own; it wants to keep those of all others. */
  private static final Set<String> IDS_GIVEN_ANEW =
      Set.of(
          "message",
          "function_call",
          "function_call_output",
          "custom_tool_call",
          "custom_tool_call_output",
          "computer_call_output",
          "shell_call",
          "shell_call_output",
          "apply_patch_call",
          "apply_patch_call_output",
          "tool_search_call",
          "tool_search_output",
          "additional_tools",
          "mcp_approval_response",
          "compaction");

  private ConversationItems() {}

  /**
   * The JSON text to send, or nothing for an item that cannot be kept there: reasoning of another
   * provider, what another framework keeps for itself, and what a guardrail has stopped. The API
   * refuses its mark, and without the mark the model would be shown it.
   */
  static Optional<String> of(Item item) {
    if (Guardrail.hasStopped(item)) {
      return Optional.empty();
    }
    return ResponsesInput.of(item)
        .map(
            json ->
                item.id().isPresent() && IDS_GIVEN_ANEW.contains(item.type())
                    ? ResponsesAnswer.without("id", json).json()
                    : json);
  }
}
