package dev.clew.cli.terminal;

import java.util.OptionalInt;

/** Small pictures of numbers, each on one line. Immutable. */
public record Plot(Paint paint, OptionalInt width) {
  private static final String LEVELS = "▁▂▃▄▅▆▇█";
  private static final int LABEL = 12;
  private static final int BESIDE = 45;
  private static final int BAR = 24;
  private static final int DEFAULT_WIDTH = 100;

  public String label(String text) {
    return Columns.pad(Columns.cut(text, LABEL), LABEL + 1);
  }

  /** A column for each number, as high as it is; for several together if there is no room. */
  public String spark(long[] values) {
    int columns = Math.max(10, width.orElse(DEFAULT_WIDTH) - LABEL - BESIDE);
    int together = Math.max(1, (values.length + columns - 1) / columns);
    long[] sums = new long[(values.length + together - 1) / together];
    long most = 1;
    for (int i = 0; i < values.length; i++) {
      sums[i / together] += values[i];
      most = Math.max(most, sums[i / together]);
    }
    StringBuilder line = new StringBuilder();
    for (long sum : sums) {
      int level = (int) Math.ceil((double) sum * LEVELS.length() / most);
      line.append(level == 0 ? ' ' : LEVELS.charAt(level - 1));
    }
    return paint.green(line.toString());
  }

  /** A bar as long as a number is large beside the largest. */
  public String bar(long value, long most) {
    int full = (int) Math.max(1, Math.round((double) value * BAR / Math.max(1, most)));
    return paint.green("█".repeat(full)) + " ".repeat(BAR - full);
  }
}
