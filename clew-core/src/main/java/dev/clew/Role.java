package dev.clew;

import java.util.Locale;
import java.util.Optional;

/** Who a message is from. */
public enum Role {
  USER,
  ASSISTANT,
  SYSTEM,
  DEVELOPER;

  /** The name in JSON, such as {@code user}. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of that name in JSON, or empty if there is none. */
  public static Optional<Role> of(String wire) {
    return switch (wire) {
      case "user" -> Optional.of(USER);
      case "assistant" -> Optional.of(ASSISTANT);
      case "system" -> Optional.of(SYSTEM);
      case "developer" -> Optional.of(DEVELOPER);
      default -> Optional.empty();
    };
  }
}
