package dev.clew.cli.terminal;

import dev.clew.kit.Reasons;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Times and numbers as people say them. Stateless. */
public final class Humanize {
  private Humanize() {}

  /** How long ago something was. */
  public static String ago(Instant then, Instant now) {
    long seconds = Duration.between(then, now).toSeconds();
    if (seconds < 60) {
      return "just now"; // also for a clock that went back
    }
    if (seconds < 3600) {
      return count(seconds / 60, "minute") + " ago";
    }
    if (seconds < 86_400) {
      return count(seconds / 3600, "hour") + " ago";
    }
    // After a month the date says more; its ISO form needs no time zone tables to be loaded.
    return seconds < 31 * 86_400
        ? count(seconds / 86_400, "day") + " ago"
        : then.toString().substring(0, 10);
  }

  /** {@code 1 item}, {@code 2 items}. */
  public static String count(long n, String noun) {
    return n + " " + noun + (n == 1 ? "" : "s");
  }

  /** The name of a constant as it is written in options and in JSON. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** About how many bytes. */
  public static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double size = bytes / 1024.0;
    int unit = 0;
    while (size >= 1024 && unit < 3) {
      size /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %ciB", size, "KMGT".charAt(unit));
  }

  /** A time that was measured. */
  public static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }

  /** The same as a number of milliseconds, to the microsecond. */
  public static double roundMillis(long nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }

  /** Why something with a file failed; the exceptions of Java often say only which file. */
  public static String reason(IOException e) {
    return Reasons.of(e);
  }
}
