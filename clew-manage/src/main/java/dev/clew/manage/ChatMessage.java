package dev.clew.manage;

import dev.clew.Role;
import java.time.Instant;

/**
 * One message for a model: from the user or from the assistant, never from the system. Immutable.
 *
 * @param role {@link Role#USER} or {@link Role#ASSISTANT}
 * @param content its text
 * @param timestamp when it was added
 */
public record ChatMessage(Role role, String content, Instant timestamp) {
  /** Checks the role. */
  public ChatMessage {
    if (role != Role.USER && role != Role.ASSISTANT) {
      throw new IllegalArgumentException("a chat message is not from the " + role.wire());
    }
  }
}
