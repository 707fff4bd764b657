package dev.clew.server.settings;

import java.time.Duration;

/**
 * How turns run. Immutable.
 *
 * @param lockWait how long a turn waits for another turn of the session
 * @param leaseLife how long a session stays locked after its server died
 * @param responsesKept how long responses outside of conversations are kept
 * @param contextTokens the size of the model's context window
 * @param stopWait how long running turns may take when the server stops
 */
public record TurnSettings(
    Duration lockWait,
    Duration leaseLife,
    Duration responsesKept,
    long contextTokens,
    Duration stopWait) {
  public static final TurnSettings DEFAULT =
      new TurnSettings(
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofDays(30),
          128_000,
          Duration.ofSeconds(10));

  public TurnSettings lockWait(Duration value) {
    return new TurnSettings(value, leaseLife, responsesKept, contextTokens, stopWait);
  }

  public TurnSettings leaseLife(Duration value) {
    return new TurnSettings(lockWait, value, responsesKept, contextTokens, stopWait);
  }

  public TurnSettings responsesKept(Duration value) {
    return new TurnSettings(lockWait, leaseLife, value, contextTokens, stopWait);
  }

  public TurnSettings contextTokens(long value) {
    return new TurnSettings(lockWait, leaseLife, responsesKept, value, stopWait);
  }

  public TurnSettings stopWait(Duration value) {
    return new TurnSettings(lockWait, leaseLife, responsesKept, contextTokens, value);
  }
}
