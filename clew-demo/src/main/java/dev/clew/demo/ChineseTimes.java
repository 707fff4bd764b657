package dev.clew.demo;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes what a Chinese sentence says about time out of it. Not thread-safe. */
final class ChineseTimes {
  private static final String N = ChineseNumbers.PATTERN;
  private static final String HOURS = "(?:小时|钟头)";
  private static final String WEEKS = "(?:周|星期|礼拜)";

  /** How long something is, as a piece of a pattern without groups. */
  static final String AMOUNT =
      "(?:半个?"
          + HOURS
          + "|"
          + N
          + "个?半"
          + HOURS
          + "|"
          + N
          + "个?"
          + HOURS
          + "半?|"
          + N
          + "刻钟|"
          + N
          + "分钟|"
          + N
          + "天|"
          + N
          + "个?"
          + WEEKS
          + "(?![一二三四五六日天末]))";

  private static final Pattern AMOUNT_PARTS =
      Pattern.compile("(" + N + ")?(个?半|半?个)?(小时|钟头|刻钟|分钟|天|周|星期|礼拜)(半)?");
  private static final Pattern SHIFT =
      Pattern.compile("(推迟|延后|延迟|往后推|往后挪|晚|提前|提早|往前挪|早)了?(" + AMOUNT + ")");
  private static final Pattern FROM_NOW = Pattern.compile("(" + AMOUNT + ")(?:之后|以后|后)");
  private static final Pattern LENGTH = Pattern.compile("(?:大约|大概|为期|时长|一共|共)?(" + AMOUNT + ")");

  private static final Pattern DATE =
      Pattern.compile("(\\d{4})[年/-](\\d{1,2})[月/-](\\d{1,2})[日号]?");
  private static final Pattern MONTH_DAY = Pattern.compile("(" + N + ")月(" + N + ")[日号]?");
  private static final Pattern NTH = Pattern.compile("(?<!第)(" + N + ")[号日](?!程)");
  private static final Pattern NEAR = Pattern.compile("(大后天|后天|明天|明日|明早|明晚|今天|今日|今早|今晚|昨天)");
  private static final Pattern DAY_OF_WEEK =
      Pattern.compile("(下下|下|这|本|上)?个?(?:周|星期|礼拜)([一二三四五六日天])");
  private static final Pattern WEEK = Pattern.compile("(下下|下|这|本|上)个?(?:周|星期|礼拜)(末)?|周末");

  private static final String HALF = "(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|深夜|晚间)?";
  private static final String CLOCK =
      HALF
          + " ?(?:(\\d{1,2})[:：](\\d{2})|(?<![早晚快慢有差])("
          + N
          + ")[点點时](?!候|间)(半|一刻|三刻|整|"
          + N
          + "分?)?钟?)";
  private static final Pattern RANGE = Pattern.compile(CLOCK + " ?(?:到|至|-|~|～|—|–) ?" + CLOCK);
  private static final Pattern ONE = Pattern.compile(CLOCK);
  private static final Pattern NOON = Pattern.compile("正午");
  private static final Pattern PART_OF_DAY =
      Pattern.compile("(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|深夜)");
  private static final int CLOCK_GROUPS = 5;

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

  private ChineseTimes(String text, LocalDateTime now) {
    this.text = new Cutter(text);
    this.now = now;
    this.today = now.toLocalDate();
  }

  /** What a sentence says about time, and the rest of it. */
  static Timed read(String sentence, LocalDateTime now) {
    ChineseTimes found = new ChineseTimes(sentence, now);
    found.amounts();
    found.days();
    found.clock();
    return found.timed();
  }

  /** The same where nothing but a time is expected, so that "3" is one. */
  static Timed readOnly(String words, LocalDateTime now) {
    String said = words.strip();
    if (said.matches(N)) {
      int hour = ChineseNumbers.parse(said);
      if (TimeOfDay.isValid(hour, 0)) {
        return new Timed(Times.NONE.withStart(new TimeOfDay(hour, 0, null, false)), "");
      }
    }
    return read(said, now);
  }

  private Timed timed() {
    // What stood on both sides of a time belongs together: 明天和张三下午3点吃饭.
    String rest = text.rest().replaceAll("(?<=\\p{IsHan}) (?=\\p{IsHan})", "");
    return new Timed(new Times(days, half, start, end, length, moment, shift), rest);
  }

  private void amounts() {
    text.take(SHIFT)
        .ifPresent(
            m -> {
              boolean earlier = m.group(1).startsWith("提") || m.group(1).matches("早|往前挪");
              shift = amount(m.group(2)).map(d -> earlier ? d.negated() : d).orElse(null);
            });
    text.take(FROM_NOW).flatMap(m -> amount(m.group(1))).ifPresent(this::fromNow);
    text.take(LENGTH).ifPresent(m -> length = amount(m.group(1)).orElse(null));
  }

  private void fromNow(Duration ahead) {
    if (ahead.toHours() >= 24) {
      days = Days.of(today.plusDays(ahead.toDays()));
    } else {
      moment = now.plus(ahead).truncatedTo(ChronoUnit.MINUTES);
    }
  }

  /** How long 两个小时, 一个半小时 or 三天 is. */
  static Optional<Duration> amount(String words) {
    Matcher parts = AMOUNT_PARTS.matcher(words);
    if (!parts.matches()) {
      return Optional.empty();
    }
    boolean andHalf = (parts.group(2) + parts.group(4)).contains("半");
    int whole = parts.group(1) == null ? 0 : ChineseNumbers.parse(parts.group(1));
    long unit =
        switch (parts.group(3)) {
          case "分钟" -> 1;
          case "刻钟" -> 15;
          case "小时", "钟头" -> 60;
          case "天" -> 1440;
          default -> 7 * 1440;
        };
    long minutes = whole * unit + (andHalf ? unit / 2 : 0);
    boolean sensible = whole >= 0 && minutes > 0 && minutes <= 366L * 1440;
    return sensible ? Optional.of(Duration.ofMinutes(minutes)) : Optional.empty();
  }

  private void days() {
    any(
        () -> take(DATE, m -> Days.date(number(m, 1), number(m, 2), number(m, 3))),
        () -> take(MONTH_DAY, m -> Days.monthDay(today, number(m, 1), number(m, 2))));
    if (days != null) {
      text.take(DAY_OF_WEEK); // 3月5号星期四 says the same twice
    }
    any(
        () -> text.take(NEAR).map(m -> near(m.group(1))),
        () -> text.take(DAY_OF_WEEK).map(this::dayOfWeek),
        () -> text.take(WEEK).map(this::week),
        () -> take(NTH, m -> Days.dayOfMonth(today, number(m, 1))));
  }

  /** Takes out the first match that means something: there is no 25点. */
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

  private Days near(String word) {
    if (word.endsWith("早")) {
      half = Half.MORNING;
    } else if (word.endsWith("晚")) {
      half = Half.EVENING;
    }
    return Days.of(
        switch (word) {
          case "大后天" -> today.plusDays(3);
          case "后天" -> today.plusDays(2);
          case "明天", "明日", "明早", "明晚" -> today.plusDays(1);
          case "昨天" -> today.minusDays(1);
          default -> today;
        });
  }

  private Days dayOfWeek(MatchResult match) {
    int number = "一二三四五六日".indexOf(match.group(2).replace('天', '日'));
    DayOfWeek day = DayOfWeek.of(number + 1);
    return match.group(1) == null
        ? Days.next(today, day)
        : Days.inWeek(today, weeks(match.group(1)), day);
  }

  private Days week(MatchResult match) {
    int ahead = match.group(1) == null ? 0 : weeks(match.group(1));
    boolean weekend = match.group(1) == null || match.group(2) != null;
    return weekend ? Days.weekend(today, ahead) : Days.week(today, ahead);
  }

  private static int weeks(String word) {
    return switch (word) {
      case "下下" -> 2;
      case "下" -> 1;
      case "上" -> -1;
      default -> 0;
    };
  }

  private void clock() {
    text.take(RANGE, m -> clock(m, 0).isPresent() && clock(m, CLOCK_GROUPS).isPresent())
        .ifPresent(
            m -> {
              start = clock(m, 0).orElse(null);
              end = clock(m, CLOCK_GROUPS).orElse(null);
            });
    if (start == null) {
      start = take(ONE, m -> clock(m, 0)).orElse(null);
    }
    if (start == null && text.take(NOON).isPresent()) {
      start = new TimeOfDay(12, 0, null, true);
    }
    text.take(PART_OF_DAY).ifPresent(m -> half = half(m.group(1)));
  }

  private static Optional<TimeOfDay> clock(MatchResult match, int offset) {
    String part = match.group(offset + 1);
    String digits = match.group(offset + 2);
    int hour = ChineseNumbers.parse(digits == null ? match.group(offset + 4) : digits);
    String past = digits == null ? match.group(offset + 5) : match.group(offset + 3);
    int minute = past == null ? 0 : minute(past);
    boolean exact = digits != null && digits.startsWith("0");
    return TimeOfDay.isValid(hour, minute)
        ? Optional.of(new TimeOfDay(hour, minute, part == null ? null : half(part), exact))
        : Optional.empty();
  }

  private static int minute(String words) {
    return switch (words) {
      case "半" -> 30;
      case "一刻" -> 15;
      case "三刻" -> 45;
      case "整" -> 0;
      default -> ChineseNumbers.parse(words.replace("分", ""));
    };
  }

  private static Half half(String word) {
    return switch (word) {
      case "凌晨", "半夜" -> Half.EARLY;
      case "清晨", "早上", "早晨", "上午" -> Half.MORNING;
      case "中午" -> Half.NOON;
      case "下午" -> Half.AFTERNOON;
      default -> Half.EVENING;
    };
  }

  private static int number(MatchResult match, int group) {
    return ChineseNumbers.parse(match.group(group));
  }
}
