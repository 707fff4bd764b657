package dev.clew.cli;

import java.util.OptionalInt;

/** Small pictures of numbers, each on one line. Immutable. */
record Plot(Paint paint, OptionalInt width) {
  private static final String LEVELS = "▁▂▃▄▅▆▇█";
  private static final int LABEL = 12;
  private static final int BESIDE = 45;
  private static final int BAR = 24;
  private static final int DEFAULT_WIDTH = 100;

  String label(String text) {
    return Columns.pad(Columns.cut(text, LABEL), LABEL + 1);
  }

  /** A column for each number, as high as it is; the newest if there is no room for all. */
  String spark(long[] values) {
    int columns = Math.max(10, width.orElse(DEFAULT_WIDTH) - LABEL - BESIDE);
    int from = Math.max(0, values.length - columns);
    long most = 1;
    for (int i = from; i < values.length; i++) {
      most = Math.max(most, values[i]);
    }
    StringBuilder line = new StringBuilder();
    for (int i = from; i < values.length; i++) {
      int level = (int) Math.ceil((double) values[i] * LEVELS.length() / most);
      line.append(level == 0 ? ' ' : LEVELS.charAt(level - 1));
    }
    return paint.green(line.toString());
  }

  /** A bar as long as a number is large beside the largest. */
  String bar(long value, long most) {
    int full = (int) Math.max(1, Math.round((double) value * BAR / Math.max(1, most)));
    return paint.green("█".repeat(full)) + " ".repeat(BAR - full);
  }
}
