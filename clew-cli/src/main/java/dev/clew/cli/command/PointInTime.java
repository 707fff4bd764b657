package dev.clew.cli.command;

import dev.clew.cli.terminal.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/** Reads a time as people give it: an age, a date or an instant. Stateless. */
public final class PointInTime {
  private PointInTime() {}

  /**
   * {@code 7d} ago, the beginning of {@code 2026-01-31} in UTC, or {@code 2026-01-31T10:00:00Z}.
   */
  public static Instant parse(String option, String text, Instant now) {
    if (text.matches("[0-9]{1,9}[dhms]")) {
      long count = Long.parseLong(text.substring(0, text.length() - 1));
      return now.minus(count, unit(text.charAt(text.length() - 1)));
    }
    try {
      return text.length() == "2026-01-31".length()
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw Failure.usage(
              String.format(
                  "%s is '%s'; write an age such as 7d or 12h, a date such as "
                      + "2026-01-31, or 2026-01-31T10:00:00Z",
                  option, text))
          .in(option);
    }
  }

  /** How long {@code 24h} is; at least a second. */
  public static Duration duration(String option, String text) {
    if (text.matches("[0-9]{1,9}[dhms]") && !text.matches("0+.")) {
      return Duration.of(
          Long.parseLong(text.substring(0, text.length() - 1)),
          unit(text.charAt(text.length() - 1)));
    }
    throw Failure.usage(option + " is '" + text + "'; write a time such as 24h, 30m or 7d")
        .in(option);
  }

  private static ChronoUnit unit(char letter) {
    return switch (letter) {
      case 'd' -> ChronoUnit.DAYS;
      case 'h' -> ChronoUnit.HOURS;
      case 'm' -> ChronoUnit.MINUTES;
      default -> ChronoUnit.SECONDS;
    };
  }
}
