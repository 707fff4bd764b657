package dev.clew;

import java.util.OptionalInt;

/**
 * How a session is read when the caller does not say. Immutable. An explicit limit overrides.
 *
 * @param limit the most that {@link Session#getItems()} returns; empty for everything
 */
public record SessionSettings(OptionalInt limit) {
  /** No limit. */
  public static final SessionSettings DEFAULT = new SessionSettings(OptionalInt.empty());

  /** Checks the limit. */
  public SessionSettings {
    if (limit.isPresent() && limit.getAsInt() < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit.getAsInt());
    }
  }

  /** The newest {@code limit} items. */
  public static SessionSettings limit(int limit) {
    return new SessionSettings(OptionalInt.of(limit));
  }
}
