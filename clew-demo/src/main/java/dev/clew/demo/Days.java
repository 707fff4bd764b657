package dev.clew.demo;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;

/**
 * A day, or several in a row. Immutable.
 *
 * @param first the first of them
 * @param last the last of them
 */
record Days(LocalDate first, LocalDate last) {

  static Days of(LocalDate day) {
    return new Days(day, day);
  }

  boolean isOne() {
    return first.equals(last);
  }

  /** The same day of the week in other days, if they have one: Thursday, of next week. */
  Days within(Days others) {
    LocalDate day = first;
    while (isOne() && !others.isOne() && day.isBefore(others.first)) {
      day = day.plusWeeks(1);
    }
    return day.isAfter(others.last) || day.equals(first) ? this : of(day);
  }

  /** Monday to Sunday of a week, counted from this one. */
  static Days week(LocalDate today, int weeks) {
    LocalDate monday = monday(today).plusWeeks(weeks);
    return new Days(monday, monday.plusDays(6));
  }

  /** Saturday and Sunday of a week, counted from this one. */
  static Days weekend(LocalDate today, int weeks) {
    LocalDate monday = monday(today).plusWeeks(weeks);
    return new Days(monday.plusDays(5), monday.plusDays(6));
  }

  /** A day of a week that starts on Monday. */
  static Days inWeek(LocalDate today, int weeks, DayOfWeek day) {
    return of(monday(today).plusWeeks(weeks).with(TemporalAdjusters.nextOrSame(day)));
  }

  /** The next such day after today. */
  static Days next(LocalDate today, DayOfWeek day) {
    return of(today.with(TemporalAdjusters.next(day)));
  }

  /** A day of a month, this year if it is not over, else next year. */
  static Optional<Days> monthDay(LocalDate today, int month, int day) {
    if (month < 1 || month > 12 || day < 1) {
      return Optional.empty();
    }
    // Far enough to reach the next 29 February.
    for (int year = today.getYear(); year <= today.getYear() + 8; year++) {
      if (day <= YearMonth.of(year, month).lengthOfMonth()) {
        LocalDate date = LocalDate.of(year, month, day);
        if (!date.isBefore(today)) {
          return Optional.of(of(date));
        }
      }
    }
    return Optional.empty();
  }

  /** A day of this month, or of the next one that has it. */
  static Optional<Days> dayOfMonth(LocalDate today, int day) {
    for (int ahead = 0; ahead < 3 && day >= 1; ahead++) {
      YearMonth month = YearMonth.from(today).plusMonths(ahead);
      if (day <= month.lengthOfMonth() && !month.atDay(day).isBefore(today)) {
        return Optional.of(of(month.atDay(day)));
      }
    }
    return Optional.empty();
  }

  /** A date that is written out. */
  static Optional<Days> date(int year, int month, int day) {
    boolean exists =
        month >= 1 && month <= 12 && day >= 1 && day <= YearMonth.of(year, month).lengthOfMonth();
    return exists ? Optional.of(of(LocalDate.of(year, month, day))) : Optional.empty();
  }

  private static LocalDate monday(LocalDate today) {
    return today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
  }
}
