package dev.clew.cli;

import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.SessionOutcome;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * Shows how far a migration is: a bar on a terminal, now and then a line elsewhere. Not
 * thread-safe. It goes to standard error, because it is not the answer.
 */
class MigrationProgress implements MigrationListener {
  private static final long BAR_NANOS = 100_000_000;
  private static final long LINE_NANOS = 5_000_000_000L;
  private static final int BAR_COLUMNS = 24;
  private static final int DEFAULT_WIDTH = 80;
  private static final String ERASE = "\r\u001b[K";

  private final Output err;
  private final boolean onTerminal;
  private final OptionalInt width;
  private final LongSupplier nanoTime;
  private final long start;
  private long shownAt;
  private boolean barIsThere;
  private long plannedSessions;
  private long plannedItems;
  private long sessions;
  private long items;

  MigrationProgress(Output err, boolean onTerminal, OptionalInt width, LongSupplier nanoTime) {
    this.err = err;
    this.onTerminal = onTerminal;
    this.width = width;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
    this.shownAt = start;
  }

  @Override
  public void planned(long sessionCount, long itemCount) {
    plannedSessions = sessionCount;
    plannedItems = itemCount;
  }

  @Override
  public void progressed(long more) {
    items += more;
    show();
  }

  @Override
  public void finished(SessionOutcome outcome) {
    sessions++;
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

  private String bar() {
    double part = plannedItems == 0 ? 1 : Math.min(1, (double) items / plannedItems);
    int full = (int) Math.round(part * BAR_COLUMNS);
    return "["
        + "#".repeat(full)
        + "-".repeat(BAR_COLUMNS - full)
        + String.format(Locale.ROOT, "] %3d%% ", (int) (part * 100))
        + describe();
  }

  private String describe() {
    double seconds = Math.max(0.001, (nanoTime.getAsLong() - start) / 1e9);
    return String.format(
        Locale.ROOT,
        "%,d of %,d items, %,d of %,d sessions, %,.0f items/s",
        items,
        Math.max(items, plannedItems),
        sessions,
        Math.max(sessions, plannedSessions),
        items / seconds);
  }

  /** Takes the bar away, before something else is printed. */
  void clear() {
    if (barIsThere) {
      err.print(ERASE).flush();
      barIsThere = false;
    }
  }
}
