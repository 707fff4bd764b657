package dev.clew.jsonl;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.kit.state.Description;
import dev.clew.kit.state.Listed;
import dev.clew.kit.state.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A session in the catalogue. Immutable.
 *
 * @param info what is known of it
 * @param description what people said about it
 */
record Listing(SessionInfo info, Description description) implements Listed {
  static Listing of(SessionState state, Optional<Duration> timeToLive) {
    return new Listing(state.info(timeToLive), state.description());
  }

  @Override
  public SessionKey key() {
    return info.key();
  }

  @Override
  public Instant createdAt() {
    return info.createdAt();
  }

  @Override
  public Instant updatedAt() {
    return info.updatedAt();
  }
}
