package dev.clew.demo;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes what an English sentence says about time out of it. Not thread-safe. */
final class EnglishTimes {
  private static final String WORD_NUMBER = EnglishAmounts.WORD_NUMBER;
  private static final String AMOUNT = EnglishAmounts.AMOUNT;

  private static final Pattern SHIFT_LATER =
      pattern("(?:\\bby )?\\b(" + AMOUNT + ") (later|earlier|sooner)\\b");
  private static final Pattern SHIFT_BY = pattern("(?:\\b(back|forward) )?\\bby (" + AMOUNT + ")");
  private static final Pattern SHIFT_BACK = pattern("\\b(back|forward) (" + AMOUNT + ")");
  private static final Pattern FROM_NOW =
      pattern("\\bin (" + AMOUNT + ")|\\b(" + AMOUNT + ") from now\\b");
  private static final Pattern LENGTH =
      pattern("\\bfor (" + AMOUNT + ")|\\b(" + AMOUNT + ") long\\b");
  private static final Pattern LENGTH_BEFORE = pattern("\\b(\\d+-(?:minute|min|hour))\\b");
  private static final Pattern ONLY_LENGTH = pattern("(?:about )?(" + AMOUNT + ")");

  private static final String HALF = "(morning|afternoon|evening|night)";
  private static final String ON = "(?:\\b(?:on|for|from) )?(?:the )?";
  private static final String WEEKDAY =
      "(monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues|tue|wed|thurs|thu|fri|sat"
          + "|sun)\\b\\.?(?:['’]s)?";
  private static final String MONTH =
      "(january|february|march|april|may|june|july|august|september|october|november|december"
          + "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\\b\\.?";
  private static final Pattern ISO = pattern(ON + "\\b(\\d{4})-(\\d{1,2})-(\\d{1,2})\\b");
  private static final Pattern MONTH_DAY =
      pattern(ON + "\\b" + MONTH + " (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4})\\b)?");
  private static final Pattern DAY_MONTH =
      pattern(ON + "\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? " + MONTH + "(?:,? (\\d{4})\\b)?");
  private static final Pattern NTH = pattern("\\b(?:on )?the (\\d{1,2})(?:st|nd|rd|th)\\b");
  private static final Pattern NEAR =
      pattern(
          ON
              + "\\b(day after tomorrow|tomorrow|today|tonight|yesterday)(?:['’]s)?\\b(?: "
              + HALF
              + "\\b)?");
  private static final Pattern DAY_OF_WEEK_AHEAD =
      pattern(
          ON
              + "\\b(?:"
              + WEEKDAY
              + "(?: of)? next week|next week(?:['’]s)?(?: on)? "
              + WEEKDAY
              + ")");
  private static final Pattern DAY_OF_WEEK =
      pattern(ON + "\\b(?:(this|next|coming) )?" + WEEKDAY + "(?: " + HALF + "\\b)?");
  private static final Pattern WEEK =
      pattern(
          "(?:\\b(?:in|for|during|on) )?(?:the )?\\b(this|next|the) (week|weekend)(?:['’]s)?\\b");

  private static final String CLOCK =
      "(?:\\d{1,2}(?:[:.]\\d{2})? ?(?:am|pm|a\\.m\\.?|p\\.m\\.?)(?![a-z])|\\d{1,2}(?::\\d{2})?(?![\\d:])"
          + "|noon\\b|midday\\b|midnight\\b)";
  private static final Pattern RANGE =
      pattern(
          "(\\b(?:from|between) |\\bat )?(?<![\\d:])("
              + CLOCK
              + ") ?(?:-|–|—|\\bto\\b|\\buntil\\b|\\btill\\b|\\band\\b) ?("
              + CLOCK
              + ")");
  private static final Pattern PART_OF_DAY = pattern("\\b(?:in the|this|at) " + HALF + "\\b");
  private static final String HOUR = "(\\d{1,2}|" + WORD_NUMBER + ")";
  private static final String AT = "(?:\\b(?:at|around|about|by|starting at) |@ ?)?";
  private static final String AM_PM = "(am|pm|a\\.m\\.?|p\\.m\\.?)(?![a-z])";
  private static final Pattern PAST =
      pattern(AT + "\\b(half|quarter|a quarter) (past|to) " + HOUR + "\\b(?: ?" + AM_PM + ")?");
  private static final Pattern WITH_AM_PM =
      pattern(AT + "(?<![\\d:.])(\\d{1,2})(?:[:.](\\d{2}))? ?" + AM_PM);
  private static final Pattern WITH_COLON =
      pattern(AT + "(?<![\\d:])(\\d{1,2}):(\\d{2})(?![\\d:])");
  private static final Pattern O_CLOCK = pattern(AT + "\\b" + HOUR + " ?o['’]?clock\\b");
  private static final Pattern AT_HOUR = pattern("(?:\\bat |@ ?)" + HOUR + "\\b(?![:.]\\d)");
  private static final Pattern NAMED = pattern(AT + "\\b(noon|midday|midnight)\\b");
  private static final Pattern ONLY_HOUR = pattern(HOUR + "(?: ?" + AM_PM + ")?");
  private static final Pattern ONLY_HALF =
      pattern("(?:in the |the )?(?:(am|pm|a\\.m\\.?|p\\.m\\.?)|" + HALF + ")");

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

  private EnglishTimes(String text, LocalDateTime now) {
    this.text = new Cutter(text);
    this.now = now;
    this.today = now.toLocalDate();
  }

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, CASE_INSENSITIVE);
  }

  /** What a sentence says about time, and the rest of it. */
  static Timed read(String sentence, LocalDateTime now) {
    EnglishTimes found = new EnglishTimes(sentence.replaceAll("\\s+", " "), now);
    found.amounts();
    found.days();
    found.clock();
    return found.timed();
  }

  /** The same where nothing but a time is expected, so that "3" and "2 hours" are one. */
  static Timed readOnly(String words, LocalDateTime now) {
    String said = words.strip().replaceAll("\\s+", " ");
    var hour = ONLY_HOUR.matcher(said);
    var part = ONLY_HALF.matcher(said);
    var lasts = ONLY_LENGTH.matcher(said);
    EnglishTimes found = new EnglishTimes("", now);
    if (hour.matches()) {
      found.start = clock(hour.group(1), null, hour.group(2)).orElse(null);
    } else if (part.matches()) {
      found.half = part.group(1) == null ? half(part.group(2)) : amPm(part.group(1));
    } else if (lasts.matches()) {
      found.length = EnglishAmounts.amount(lasts.group(1)).orElse(null);
    }
    Timed timed = found.timed();
    return timed.times().isEmpty() ? read(words, now) : timed;
  }

  private Timed timed() {
    return new Timed(new Times(days, half, start, end, length, moment, shift), text.rest());
  }

  private void amounts() {
    text.take(SHIFT_LATER)
        .ifPresent(m -> shift = signed(m.group(1), !m.group(2).equalsIgnoreCase("later")));
    if (shift == null) {
      text.take(SHIFT_BY)
          .or(() -> text.take(SHIFT_BACK))
          .ifPresent(m -> shift = signed(m.group(2), "forward".equalsIgnoreCase(m.group(1))));
    }
    text.take(FROM_NOW).ifPresent(m -> fromNow(m.group(1) == null ? m.group(2) : m.group(1)));
    text.take(LENGTH)
        .ifPresent(
            m ->
                length =
                    EnglishAmounts.amount(m.group(1) == null ? m.group(2) : m.group(1))
                        .orElse(null));
    if (length == null) {
      text.take(LENGTH_BEFORE)
          .ifPresent(m -> length = EnglishAmounts.amount(m.group(1)).orElse(null));
    }
  }

  private static @Nullable Duration signed(String words, boolean negative) {
    return EnglishAmounts.amount(words).map(d -> negative ? d.negated() : d).orElse(null);
  }

  private void fromNow(String words) {
    Optional<Duration> ahead = EnglishAmounts.amount(words);
    if (ahead.isPresent() && ahead.get().toHours() >= 24 && ahead.get().toMinutes() % 1440 == 0) {
      days = Days.of(today.plusDays(ahead.get().toDays()));
    } else if (ahead.isPresent()) {
      moment = now.plus(ahead.get()).truncatedTo(ChronoUnit.MINUTES);
    }
  }

  private void days() {
    any(
        () -> take(ISO, m -> Days.date(number(m, 1), number(m, 2), number(m, 3))),
        () -> take(MONTH_DAY, m -> date(m.group(3), m.group(1), number(m, 2))),
        () -> take(DAY_MONTH, m -> date(m.group(3), m.group(2), number(m, 1))));
    if (days != null) {
      text.take(DAY_OF_WEEK, EnglishTimes::isDay); // "Thursday 5 March" says the same twice
    }
    any(
        () -> text.take(NEAR).map(this::near),
        () ->
            text.take(DAY_OF_WEEK_AHEAD)
                .map(
                    m ->
                        Days.inWeek(
                            today, 1, weekday(m.group(1) == null ? m.group(2) : m.group(1)))),
        () -> text.take(DAY_OF_WEEK, EnglishTimes::isDay).map(this::dayOfWeek),
        () -> text.take(WEEK).map(this::week),
        () -> take(NTH, m -> Days.dayOfMonth(today, number(m, 1))));
  }

  /** Takes out the first match that means something: there is no 25:00 and no 31 April. */
  private <T> Optional<T> take(Pattern pattern, Function<MatchResult, Optional<T>> meaning) {
    return text.take(pattern, match -> meaning.apply(match).isPresent()).flatMap(meaning);
  }

  @SafeVarargs
  private void any(Supplier<Optional<Days>>... ways) {
    for (Supplier<Optional<Days>> way : ways) {
      Optional<Days> found = days == null ? way.get() : Optional.empty();
      found.ifPresent(value -> days = value);
    }
  }

  /** "sun" and "sat" are words, unless a day is clearly meant. */
  private static boolean isDay(MatchResult match) {
    String said = match.group().toLowerCase(Locale.ROOT).strip();
    return !said.equals("sun") && !said.equals("sat") && !said.equals("the sun");
  }

  private Days near(MatchResult match) {
    String word = match.group(1).toLowerCase(Locale.ROOT);
    half = match.group(2) == null ? half : half(match.group(2));
    if (word.equals("tonight")) {
      half = Half.EVENING;
    }
    return Days.of(
        switch (word) {
          case "tomorrow" -> today.plusDays(1);
          case "day after tomorrow" -> today.plusDays(2);
          case "yesterday" -> today.minusDays(1);
          default -> today;
        });
  }

  private Days dayOfWeek(MatchResult match) {
    DayOfWeek day = weekday(match.group(2));
    half = match.group(3) == null ? half : half(match.group(3));
    String which = match.group(1) == null ? "" : match.group(1).toLowerCase(Locale.ROOT);
    return switch (which) {
      case "this" -> Days.inWeek(today, 0, day);
      case "next" -> Days.inWeek(today, 1, day);
      default -> Days.next(today, day);
    };
  }

  private Days week(MatchResult match) {
    int ahead = match.group(1).equalsIgnoreCase("next") ? 1 : 0;
    return match.group(2).equalsIgnoreCase("week")
        ? Days.week(today, ahead)
        : Days.weekend(today, ahead);
  }

  private Optional<Days> date(@Nullable String year, String month, int day) {
    int number =
        List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
                .indexOf(month.substring(0, 3).toLowerCase(Locale.ROOT))
            + 1;
    return year == null
        ? Days.monthDay(today, number, day)
        : Days.date(Integer.parseInt(year), number, day);
  }

  private static DayOfWeek weekday(String name) {
    Map<String, DayOfWeek> days =
        Map.of(
            "mo",
            DayOfWeek.MONDAY,
            "tu",
            DayOfWeek.TUESDAY,
            "we",
            DayOfWeek.WEDNESDAY,
            "th",
            DayOfWeek.THURSDAY,
            "fr",
            DayOfWeek.FRIDAY,
            "sa",
            DayOfWeek.SATURDAY);
    return days.getOrDefault(name.substring(0, 2).toLowerCase(Locale.ROOT), DayOfWeek.SUNDAY);
  }

  private void clock() {
    text.take(RANGE, EnglishTimes::isRange)
        .ifPresent(
            m -> {
              start = clock(m.group(2)).orElse(null);
              end = clock(m.group(3)).orElse(null);
            });
    text.take(PART_OF_DAY).ifPresent(m -> half = half(m.group(1)));
    if (start != null) {
      return;
    }
    Optional<TimeOfDay> found =
        take(PAST, EnglishTimes::past)
            .or(() -> take(WITH_AM_PM, m -> clock(m.group(1), m.group(2), m.group(3))))
            .or(() -> take(WITH_COLON, m -> clock(m.group(1), m.group(2), null)))
            .or(() -> take(O_CLOCK, m -> clock(m.group(1), null, null)))
            .or(() -> take(NAMED, m -> clock(m.group(1))))
            .or(() -> take(AT_HOUR, m -> clock(m.group(1), null, null)));
    start = found.orElse(null);
  }

  /** Two numbers with "to" between them are a range only if something says they are times. */
  private static boolean isRange(MatchResult match) {
    if (clock(match.group(2)).isEmpty() || clock(match.group(3)).isEmpty()) {
      return false;
    }
    boolean said = match.group(1) != null && !match.group(1).equalsIgnoreCase("at ");
    return said || (match.group(2) + match.group(3)).matches("(?i).*(am|pm|m\\.|:|noon|mid).*");
  }

  private static Optional<TimeOfDay> clock(String words) {
    String said = words.strip().toLowerCase(Locale.ROOT);
    if (said.equals("noon") || said.equals("midday")) {
      return Optional.of(new TimeOfDay(12, 0, null, true));
    }
    if (said.equals("midnight")) {
      return Optional.of(new TimeOfDay(24, 0, null, true));
    }
    var parts = Pattern.compile("(\\d{1,2})(?:[:.](\\d{2}))? ?([ap].*)?").matcher(said);
    return parts.matches()
        ? clock(parts.group(1), parts.group(2), parts.group(3))
        : Optional.empty();
  }

  private static Optional<TimeOfDay> clock(
      String hour, @Nullable String minute, @Nullable String amPm) {
    int h = (int) EnglishAmounts.number(hour.toLowerCase(Locale.ROOT));
    int m = minute == null ? 0 : Integer.parseInt(minute);
    boolean exact = hour.length() == 2 && hour.startsWith("0");
    if (!TimeOfDay.isValid(h, m) || (amPm != null && h > 12)) {
      return Optional.empty();
    }
    return Optional.of(new TimeOfDay(h, m, amPm == null ? null : amPm(amPm), exact));
  }

  private static Optional<TimeOfDay> past(MatchResult match) {
    int hour = (int) EnglishAmounts.number(match.group(3).toLowerCase(Locale.ROOT));
    boolean to = match.group(2).equalsIgnoreCase("to");
    boolean halfHour = match.group(1).equalsIgnoreCase("half");
    if (hour < 1 || hour > 12 || (to && halfHour)) {
      return Optional.empty();
    }
    int minute = halfHour ? 30 : to ? 45 : 15;
    int before = hour == 1 ? 12 : hour - 1;
    Half part = match.group(4) == null ? null : amPm(match.group(4));
    return Optional.of(new TimeOfDay(to ? before : hour, minute, part, false));
  }

  private static Half amPm(String word) {
    // 12am is midnight, so "am" is not quite "in the morning".
    return Character.toLowerCase(word.charAt(0)) == 'a' ? Half.EARLY : Half.AFTERNOON;
  }

  private static Half half(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "morning" -> Half.MORNING;
      case "afternoon" -> Half.AFTERNOON;
      default -> Half.EVENING;
    };
  }

  private static int number(MatchResult match, int group) {
    return Integer.parseInt(match.group(group));
  }
}
