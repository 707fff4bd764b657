package dev.clew;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times given by a caller, rounded to what every store can keep. Stateless. */
final class GivenTime {
  /** Beyond it some stores would need another digit. */
  private static final Instant LAST = Instant.parse("4999-12-31T23:59:59.999Z");

  private GivenTime() {}

  /** The time to the millisecond; one before 1970 or far in the future is moved there. */
  static Instant of(Instant time) {
    if (time.isBefore(Instant.EPOCH)) {
      return Instant.EPOCH;
    }
    return time.isAfter(LAST) ? LAST : time.truncatedTo(ChronoUnit.MILLIS);
  }
}
