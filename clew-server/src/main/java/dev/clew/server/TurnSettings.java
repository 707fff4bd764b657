package dev.clew.server;

import java.time.Duration;

/**
 * How turns are taken. Immutable.
 *
 * @param lockWait how long a turn waits for another one of the same conversation
 * @param leaseLife how long a conversation stays locked after the server that answers in it died
 * @param responsesKept how long responses live that no conversation holds
 * @param contextTokens how much the model can be shown
 */
public record TurnSettings(
    Duration lockWait, Duration leaseLife, Duration responsesKept, long contextTokens) {
  /** The defaults. */
  public static final TurnSettings DEFAULT =
      new TurnSettings(
          Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofDays(30), 128_000);

  /** With another wait. */
  public TurnSettings lockWait(Duration value) {
    return new TurnSettings(value, leaseLife, responsesKept, contextTokens);
  }

  /** With another life of leases. */
  public TurnSettings leaseLife(Duration value) {
    return new TurnSettings(lockWait, value, responsesKept, contextTokens);
  }

  /** With another life of responses. */
  public TurnSettings responsesKept(Duration value) {
    return new TurnSettings(lockWait, leaseLife, value, contextTokens);
  }

  /** With a model that can be shown more or less. */
  public TurnSettings contextTokens(long value) {
    return new TurnSettings(lockWait, leaseLife, responsesKept, value);
  }
}
