package dev.clew.server.settings;

import java.time.Duration;

/**
 * How turns are taken. Immutable.
 *
 * @param lockWait how long a turn waits for another one of the same conversation
 * @param leaseLife how long a conversation stays locked after the server that answers in it died
 * @param responsesKept how long responses live that no conversation holds
 * @param contextTokens how much the model can be shown
 * @param stopWait how long turns may go on when the server stops
 */
public record TurnSettings(
    Duration lockWait,
    Duration leaseLife,
    Duration responsesKept,
    long contextTokens,
    Duration stopWait) {
  /** The defaults. */
  public static final TurnSettings DEFAULT =
      new TurnSettings(
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofDays(30),
          128_000,
          Duration.ofSeconds(10));

  /** With another wait. */
  public TurnSettings lockWait(Duration value) {
    return new TurnSettings(value, leaseLife, responsesKept, contextTokens, stopWait);
  }

  /** With another life of leases. */
  public TurnSettings leaseLife(Duration value) {
    return new TurnSettings(lockWait, value, responsesKept, contextTokens, stopWait);
  }

  /** With another life of responses. */
  public TurnSettings responsesKept(Duration value) {
    return new TurnSettings(lockWait, leaseLife, value, contextTokens, stopWait);
  }

  /** With a model that can be shown more or less. */
  public TurnSettings contextTokens(long value) {
    return new TurnSettings(lockWait, leaseLife, responsesKept, value, stopWait);
  }

  /** With more or less time when the server stops. */
  public TurnSettings stopWait(Duration value) {
    return new TurnSettings(lockWait, leaseLife, responsesKept, contextTokens, value);
  }
}
