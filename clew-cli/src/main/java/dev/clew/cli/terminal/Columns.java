package dev.clew.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * How text fits the columns of a terminal, where a Chinese character takes two and an accent none.
 * Stateless.
 */
public final class Columns {
  private static final String CUT = "…";

  /** First and last code point of each block that terminals show two columns wide. */
  private static final int[] WIDE = {
    0x1100, 0x115F, 0x2E80, 0x303E, 0x3041, 0x33FF, 0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xA000, 0xA4CF,
    0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30, 0xFE4F, 0xFF00, 0xFF60, 0xFFE0, 0xFFE6, 0x1F300,
        0x1F64F,
    0x1F680, 0x1F6FF, 0x1F900, 0x1F9FF, 0x1FA70, 0x1FAFF, 0x20000, 0x3FFFD
  };

  private Columns() {}

  /** How many columns the text takes. */
  public static int width(String text) {
    return text.codePoints().map(Columns::width).sum();
  }

  private static int width(int codePoint) {
    if (codePoint < 0x300) {
      return 1;
    }
    switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> {
        return 0;
      }
      default -> {
        for (int i = 0; i < WIDE.length; i += 2) {
          if (codePoint >= WIDE[i] && codePoint <= WIDE[i + 1]) {
            return 2;
          }
        }
        return 1;
      }
    }
  }

  /** The text with spaces up to {@code columns}. */
  public static String pad(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - width(text)));
  }

  /** A row of a table: the cells, each but the last as wide as its column. */
  public static String row(List<Integer> columns, String... cells) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      row.append(pad(cells[i], columns.get(i))).append("  ");
    }
    return row.append(cells[columns.size()]).toString().stripTrailing();
  }

  /** The text, or as much of it as fits with a sign that there was more. */
  public static String cut(String text, int columns) {
    // A text that is short in chars is short in columns, and most are.
    if (text.length() <= columns / 2 || width(text) <= columns) {
      return text;
    }
    return text.substring(0, fitting(text, 0, columns - 1)) + CUT;
  }

  /** The end of the longest piece from {@code start} on that fits, at least one character. */
  private static int fitting(String text, int start, int columns) {
    int used = 0;
    int end = start;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      used += width(codePoint);
      if (used > columns && end > start) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    return end;
  }

  /** The lines of the text, broken at spaces where they are wider than {@code columns}. */
  static List<String> wrap(String text, OptionalInt columns) {
    List<String> lines = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (columns.isEmpty()) {
        lines.add(line);
      } else {
        wrapLine(line, columns.getAsInt(), lines);
      }
    }
    return lines;
  }

  private static void wrapLine(String line, int columns, List<String> lines) {
    int start = 0;
    while (true) {
      int end = fitting(line, start, columns);
      if (end == line.length()) {
        lines.add(line.substring(start));
        return;
      }
      int space = line.lastIndexOf(' ', end);
      boolean atSpace = space > start && !line.substring(start, space).isBlank();
      lines.add(line.substring(start, atSpace ? space : end));
      start = atSpace ? space + 1 : end;
    }
  }
}
