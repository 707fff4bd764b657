package dev.clew.demo;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a sentence says about time; null where it says nothing. Immutable.
 *
 * @param days a day or several
 * @param half a part of the day
 * @param start a time on the clock
 * @param end the time on the clock when it ends
 * @param length how long it takes
 * @param moment a moment counted from now
 * @param shift how much later, or earlier if negative
 */
record Times(
    @Nullable Days days,
    @Nullable Half half,
    @Nullable TimeOfDay start,
    @Nullable TimeOfDay end,
    @Nullable Duration length,
    @Nullable LocalDateTime moment,
    @Nullable Duration shift) {
  static final Times NONE = new Times(null, null, null, null, null, null, null);

  /** Why the moment is not known. */
  enum Missing {
    /** Neither day nor time. */
    BOTH,
    DAY,
    TIME,
    /** In the morning or in the afternoon. */
    HALF,
    /** It is over. */
    PAST
  }

  /** A moment, or what is missing to know it; one of the two is null. */
  record Start(@Nullable LocalDateTime moment, @Nullable Missing missing) {}

  boolean isEmpty() {
    return equals(NONE);
  }

  boolean isOnlyLength() {
    return length != null && equals(NONE.withLength(length));
  }

  /** Whether it says when: a time on the clock, or at least a part of a day. */
  boolean saysWhen() {
    return hasClock() || (days != null && half != null);
  }

  boolean hasClock() {
    return start != null || moment != null;
  }

  Times withLength(Duration value) {
    return new Times(days, half, start, end, value, moment, shift);
  }

  Times withShift(Duration value) {
    return new Times(days, half, start, end, length, moment, value);
  }

  /** These, with what was said later in their place. */
  Times and(Times later) {
    return new Times(
        later.days == null ? days : days == null ? later.days : later.days.within(days),
        later.half == null ? half : later.half,
        later.start == null ? start : later.start,
        later.end == null ? end : later.end,
        later.length == null ? length : later.length,
        later.moment == null ? moment : later.moment,
        later.shift == null ? shift : later.shift);
  }

  /** When something new begins. */
  Start start(LocalDateTime now) {
    if (moment != null) {
      return new Start(moment, null);
    }
    if (start == null) {
      return new Start(null, days == null ? Missing.BOTH : Missing.TIME);
    }
    OptionalInt minutes = startMinutes();
    if (minutes.isEmpty()) {
      return new Start(null, Missing.HALF);
    }
    if (days != null && !days.isOne()) {
      return new Start(null, Missing.DAY);
    }
    LocalDate day = days == null ? now.toLocalDate() : days.first();
    LocalDateTime found = at(day, minutes.getAsInt());
    if (found.isAfter(now)) {
      return new Start(found, null);
    }
    // "At 9" when it is 10 may be tomorrow; nobody said so.
    return new Start(null, days == null ? Missing.DAY : Missing.PAST);
  }

  /** When something that begins at {@code old} begins instead; nothing if the day is not one. */
  Optional<LocalDateTime> startInsteadOf(LocalDateTime old) {
    if (moment != null) {
      return Optional.of(moment);
    }
    if (shift != null) {
      return Optional.of(old.plus(shift));
    }
    if (days != null && !days.isOne()) {
      return Optional.empty();
    }
    LocalDate day = days == null ? old.toLocalDate() : days.first();
    if (start == null) {
      return Optional.of(day.atTime(old.toLocalTime()));
    }
    return Optional.of(at(day, startMinutes().orElseGet(() -> start.minutesLike(old.getHour()))));
  }

  /** How long it takes, if that was said. */
  Optional<Duration> lengthFrom(LocalDateTime from) {
    if (length != null || end == null) {
      return Optional.ofNullable(length);
    }
    Half like = start == null || start.half() == null ? half : start.half();
    int begins = from.getHour() * 60 + from.getMinute();
    int ends = end.minutes(like).orElseGet(() -> end.minutesLike(from.getHour()));
    if (ends <= begins && end.half() == null && ends + 12 * 60 > begins) {
      ends += 12 * 60;
    }
    return Optional.of(
        Duration.ofMinutes(ends <= begins ? ends + 24 * 60 - begins : ends - begins));
  }

  /** A start without a part of the day has that of the end, if it then comes before it: 2-4pm. */
  private OptionalInt startMinutes() {
    if (start == null) {
      return OptionalInt.empty();
    }
    OptionalInt own = start.minutes(half);
    if (own.isPresent() || end == null || end.half() == null) {
      return own;
    }
    OptionalInt like = start.minutes(end.half());
    boolean before = like.getAsInt() < end.minutes(null).orElse(0);
    return before ? like : OptionalInt.of(start.hour() * 60 + start.minute());
  }

  private static LocalDateTime at(LocalDate day, int minutes) {
    return day.atStartOfDay().plusMinutes(minutes);
  }
}
