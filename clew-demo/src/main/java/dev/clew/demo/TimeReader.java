package dev.clew.demo;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes what a sentence says about time out of it. Not thread-safe. */
final class TimeReader {
  private static final int MINUTES_A_DAY = 24 * 60;

  private final Table table;
  private final Cutter text;
  private final LocalDateTime now;
  private final LocalDate today;
  private @Nullable Days days;
  private @Nullable Half half;
  private @Nullable TimeOfDay start;
  private @Nullable TimeOfDay end;
  private @Nullable Duration length;
  private @Nullable LocalDateTime moment;
  private @Nullable Duration shift;

  private TimeReader(Table table, String text, LocalDateTime now) {
    this.table = table;
    this.text = new Cutter(text.strip().replaceAll("\\s+", " "));
    this.now = now;
    this.today = now.toLocalDate();
  }

  /** What a sentence says about time, and the rest of it. */
  static Timed read(Table table, String sentence, LocalDateTime now) {
    TimeReader reader = new TimeReader(table, sentence, now);
    reader.amounts();
    reader.days();
    reader.clock();
    return reader.timed();
  }

  /** The same where nothing but a time is expected, so that "3" and "2 hours" are one. */
  static Timed readOnly(Table table, String words, LocalDateTime now) {
    String said = words.strip().replaceAll("\\s+", " ");
    TimeReader reader = new TimeReader(table, "", now);
    reader.start = table.match("only-clock", said).flatMap(reader::clock).orElse(null);
    if (reader.start == null) {
      reader.half = table.match("only-part", said).flatMap(reader::half).orElse(null);
      reader.length = table.match("only-length", said).flatMap(reader::amount).orElse(null);
    }
    Timed timed = reader.timed();
    return timed.times().isEmpty() ? read(table, said, now) : timed;
  }

  /** Takes out how much later an event is to be. */
  static Optional<Duration> takeShift(Table table, Cutter words) {
    return words.take(
        table.phrases("shift"),
        found -> amount(table, found).map(by -> found.has("earlier") ? by.negated() : by));
  }

  private Timed timed() {
    return new Timed(new Times(days, half, start, end, length, moment, shift), text.rest());
  }

  private <T> Optional<T> take(String phrases, Function<Phrase.Found, Optional<T>> meaning) {
    return text.take(table.phrases(phrases), meaning);
  }

  private void amounts() {
    shift = takeShift(table, text).orElse(null);
    take("from-now", this::amount).ifPresent(this::fromNow);
    length = take("length", this::amount).orElse(null);
  }

  private void fromNow(Duration ahead) {
    if (ahead.toMinutes() % MINUTES_A_DAY == 0) {
      days = Days.of(today.plusDays(ahead.toDays()));
    } else {
      moment = now.plus(ahead).truncatedTo(ChronoUnit.MINUTES);
    }
  }

  private Optional<Duration> amount(Phrase.Found found) {
    return amount(table, found);
  }

  /** How long "90 minutes", "an hour and a half" or 三天 is. */
  private static Optional<Duration> amount(Table table, Phrase.Found found) {
    return table
        .match("amount", found.need("amount"))
        .flatMap(
            parts -> {
              double number = parts.has("one") ? 1 : 0;
              if (parts.has("number")) {
                String value = table.value("number", parts.need("number"));
                number = Numbers.parse(value == null ? parts.need("number") : value);
              }
              if (parts.has("half") || parts.has("more")) {
                number += 0.5;
              }
              long minutes = Math.round(number * table.number("unit", parts.need("unit")));
              if (parts.has("minutes")) {
                minutes += Integer.parseInt(parts.need("minutes"));
              }
              return minutes > 0 && minutes <= 366 * MINUTES_A_DAY
                  ? Optional.of(Duration.ofMinutes(minutes))
                  : Optional.empty();
            });
  }

  private void days() {
    for (String phrases : List.of("date", "near", "weekday", "week", "nth")) {
      if (days == null) {
        days = take(phrases, this::days).orElse(null);
        if (days != null && phrases.equals("date")) {
          take("weekday", this::days); // "Thursday 5 March" says the same twice
        }
      }
    }
  }

  private Optional<Days> days(Phrase.Found found) {
    if (found.has("day")) {
      return date(found);
    } else if (table.matches("no-day", found.text().strip())) {
      return Optional.empty();
    }
    half = half(found).orElse(half);
    String week = found.get("week");
    int weeks = week == null ? 0 : table.number("week", week);
    if (found.has("near")) {
      return Optional.of(Days.of(today.plusDays(table.number("near", found.need("near")))));
    } else if (found.has("weekday")) {
      DayOfWeek day = DayOfWeek.of(table.number("weekday", found.need("weekday")));
      return Optional.of(week == null ? Days.next(today, day) : Days.inWeek(today, weeks, day));
    }
    return Optional.of(found.has("weekend") ? Days.weekend(today, weeks) : Days.week(today, weeks));
  }

  private Optional<Days> date(Phrase.Found found) {
    int day = table.number("number", found.need("day"));
    if (!found.has("month")) {
      return Days.dayOfMonth(today, day);
    }
    int month = table.number("month", found.need("month"));
    return found.has("year")
        ? Days.date(table.number("number", found.need("year")), month, day)
        : Days.monthDay(today, month, day);
  }

  private void clock() {
    take("range", this::range);
    if (start == null) {
      start = take("clock", this::clock).orElse(null);
    }
    half = take("part", this::half).orElse(half);
  }

  private Optional<TimeOfDay> range(Phrase.Found found) {
    Optional<TimeOfDay> from = clock(found.need("from"));
    Optional<TimeOfDay> to = clock(found.need("to"));
    if (from.isPresent() && to.isPresent()) {
      start = from.get();
      end = to.get();
    }
    return to.filter(unused -> from.isPresent());
  }

  private Optional<TimeOfDay> clock(String words) {
    return table
        .match("clock", words.strip())
        .or(() -> table.match("only-clock", words.strip()))
        .flatMap(this::clock);
  }

  private Optional<TimeOfDay> clock(Phrase.Found found) {
    if (found.has("named")) {
      int hour = table.number("named", found.need("named"));
      return Optional.of(new TimeOfDay(hour, 0, null, true));
    }
    String said = found.need("hour");
    int hour = table.number("number", said);
    int minute = found.has("minute") ? table.number("minute", found.need("minute")) : 0;
    if (found.has("to")) {
      hour = hour == 1 ? 12 : hour - 1;
      minute = 60 - minute;
    }
    boolean exact = said.length() == 2 && said.startsWith("0");
    return TimeOfDay.isValid(hour, minute) && (hour <= 12 || !found.has("ampm"))
        ? Optional.of(new TimeOfDay(hour, minute, half(found).orElse(null), exact))
        : Optional.empty();
  }

  private Optional<Half> half(Phrase.Found found) {
    return Optional.ofNullable(found.get("half"))
        .map(said -> table.value("half", said))
        .or(() -> Optional.ofNullable(found.get("ampm")).map(said -> table.value("ampm", said)))
        .map(Half::valueOf);
  }
}
