package dev.clew.demo;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A time on the clock as it was said. Immutable.
 *
 * @param hour as said, 0 to 24
 * @param minute 0 to 59
 * @param half the part of the day, if it was said
 * @param exact whether it is on the 24-hour clock, like 03:30 and 15:30
 */
record TimeOfDay(int hour, int minute, @Nullable Half half, boolean exact) {
  /** Hours up to here are as likely in the afternoon. */
  private static final int LAST_UNCLEAR = 7;

  static boolean isValid(int hour, int minute) {
    return hour >= 0 && hour <= 24 && minute >= 0 && minute < 60 && (hour < 24 || minute == 0);
  }

  /**
   * Minutes since the day began; nothing when it may be in the morning or in the afternoon.
   *
   * @param context the part of the day that was said elsewhere
   */
  OptionalInt minutes(@Nullable Half context) {
    Half known = half == null ? context : half;
    if (exact || hour == 0 || hour > 12) {
      return OptionalInt.of(hour * 60 + minute);
    }
    if (known != null) {
      return OptionalInt.of(known.hour(hour) * 60 + minute);
    }
    return hour <= LAST_UNCLEAR ? OptionalInt.empty() : OptionalInt.of(hour * 60 + minute);
  }

  /** Minutes since the day began, in the same half of the day as another time. */
  int minutesLike(int otherHour) {
    Half like = otherHour < 12 ? Half.MORNING : Half.AFTERNOON;
    return minutes(like).orElse(hour * 60 + minute);
  }
}
