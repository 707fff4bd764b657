package dev.clew.cli.terminal;

import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * Shows how far something is that takes long: a bar on a terminal, now and then a line elsewhere.
 * Not thread-safe. It goes to standard error, because it is not the answer.
 */
public final class Progress implements AutoCloseable {
  private static final long BAR_NANOS = 100_000_000;
  private static final long LINE_NANOS = 5_000_000_000L;
  private static final double TOO_EARLY_SECONDS = 2;
  private static final int BAR_COLUMNS = 24;
  private static final int DEFAULT_WIDTH = 80;
  private static final String ERASE = "\r\u001b[K";

  private final Output err;
  private final boolean onTerminal;
  private final OptionalInt width;
  private final LongSupplier nanoTime;
  private final String units;
  private final long start;
  private long shownAt;
  private boolean barIsThere;
  private long planned;
  private long done;
  private String detail = "";

  /**
   * @param units what is counted, such as {@code items}; {@code bytes} are shown as sizes
   */
  public Progress(
      Output err, boolean onTerminal, OptionalInt width, LongSupplier nanoTime, String units) {
    this.err = err;
    this.onTerminal = onTerminal;
    this.width = width;
    this.nanoTime = nanoTime;
    this.units = units;
    this.start = nanoTime.getAsLong();
    this.shownAt = start;
  }

  public static Progress of(Surroundings surroundings, String units) {
    Terminal terminal = surroundings.terminal();
    return new Progress(
        surroundings.err(), terminal.isInteractive(), terminal.width(), System::nanoTime, units);
  }

  /** There is about so much to do. */
  public void planned(long total) {
    planned = total;
  }

  /** So much more is done. */
  public void add(long more) {
    at(done + more);
  }

  /** So much is done in all. */
  public void at(long total) {
    done = total;
    show();
  }

  /** What else is to be said, such as {@code 2 of 3 sessions}. */
  public void detail(String text) {
    detail = text;
    show();
  }

  private void show() {
    long now = nanoTime.getAsLong();
    if (now - shownAt < (onTerminal ? BAR_NANOS : LINE_NANOS)) {
      return;
    }
    shownAt = now;
    if (onTerminal) {
      err.print(ERASE + Columns.cut(bar(), width.orElse(DEFAULT_WIDTH) - 1)).flush();
      barIsThere = true;
    } else {
      err.line(describe()).flush();
    }
  }

  /** None while nobody knows how much there is to do. */
  private String bar() {
    if (planned == 0) {
      return describe();
    }
    double part = Math.min(1, (double) done / planned);
    int full = (int) Math.round(part * BAR_COLUMNS);
    return "["
        + "#".repeat(full)
        + "-".repeat(BAR_COLUMNS - full)
        + String.format(Locale.ROOT, "] %3d%% ", (int) (part * 100))
        + describe();
  }

  private String describe() {
    double seconds = Math.max(0.001, (nanoTime.getAsLong() - start) / 1e9);
    double rate = done / seconds;
    long total = Math.max(done, planned);
    boolean bytes = units.equals("bytes");
    return count(done, bytes)
        + (planned == 0 ? "" : " of " + count(total, bytes))
        + (bytes ? "" : " " + units)
        + (detail.isEmpty() ? "" : ", " + detail)
        + (bytes
            ? ", " + Humanize.size((long) rate) + "/s"
            : String.format(Locale.ROOT, ", %,.0f %s/s", rate, units))
        + remaining(seconds, rate, total - done);
  }

  private static String count(long count, boolean bytes) {
    return bytes ? Humanize.size(count) : String.format(Locale.ROOT, "%,d", count);
  }

  /** Not before there is something to judge by. */
  private static String remaining(double seconds, double rate, long left) {
    if (left <= 0 || rate <= 0 || seconds < TOO_EARLY_SECONDS) {
      return "";
    }
    long more = Math.max(1, Math.round(left / rate));
    return ", "
        + (more < 60
            ? more + " s"
            : more < 3600
                ? String.format(Locale.ROOT, "%d:%02d min", more / 60, more % 60)
                : String.format(Locale.ROOT, "%d:%02d h", more / 3600, more / 60 % 60))
        + " left";
  }

  /** Takes the bar away, before something else is printed. */
  public void clear() {
    if (barIsThere) {
      err.print(ERASE).flush();
      barIsThere = false;
    }
  }

  /** Takes the bar away. */
  @Override
  public void close() {
    clear();
  }
}
