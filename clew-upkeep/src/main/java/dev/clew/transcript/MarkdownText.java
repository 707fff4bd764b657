package dev.clew.transcript;

import org.jspecify.annotations.Nullable;

/**
 * The Markdown of a message as a part of a document. Stateless.
 *
 * <p>It stays what it is, but for what would reach beyond the message: HTML is shown as the text it
 * is, a heading stands below those of the document, so that no message can look like another turn,
 * and code that the message does not end is ended.
 */
final class MarkdownText {
  private static final int DEEPEST = 6;

  /** How much deeper the headings of a message are: the document has two levels of its own. */
  private static final int DEEPER = 2;

  private MarkdownText() {}

  /** The text, with a line end behind each line. */
  static String of(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    @Nullable String fence = null;
    boolean paragraph = false;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (fence != null) {
        out.append(line).append('\n');
        fence = closes(line, fence) ? null : fence;
        paragraph = false;
      } else {
        fence = opens(line);
        out.append(fence == null ? prose(line, paragraph) : line).append('\n');
        paragraph = fence == null && !line.isBlank();
      }
    }
    if (fence != null) {
      out.append(fence).append('\n');
    }
    return out.toString();
  }

  /**
   * The fence of code that begins with a line; null if none does. Only one at the very beginning of
   * a line: behind blanks it may belong to a list, which ends where the list does.
   */
  private static @Nullable String opens(String line) {
    char mark = line.isEmpty() ? ' ' : line.charAt(0);
    int length = mark == '`' || mark == '~' ? run(line, 0, mark) : 0;
    return length >= 3 && (mark == '~' || line.indexOf('`', length) < 0)
        ? line.substring(0, length)
        : null;
  }

  private static boolean closes(String line, String fence) {
    int start = run(line, 0, ' ');
    int length = run(line, start, fence.charAt(0));
    return start <= 3 && length >= fence.length() && line.substring(start + length).isBlank();
  }

  private static int run(String line, int start, char c) {
    int end = start;
    while (end < line.length() && line.charAt(end) == c) {
      end++;
    }
    return end - start;
  }

  private static String prose(String line, boolean behindText) {
    String shown = line.replace("<", "&lt;");
    int start = 0;
    while (start < shown.length() && isBeforeHeading(shown.charAt(start))) {
      start++;
    }
    int level = run(shown, start, '#');
    if (level > 0 && level <= DEEPEST && endsWord(shown, start + level)) {
      int more = Math.min(DEEPER, DEEPEST - level);
      return shown.substring(0, start) + "#".repeat(more) + shown.substring(start);
    }
    return behindText && isUnderline(shown) ? '\\' + shown.stripLeading() : shown;
  }

  /** Blanks, and the marks of lists and quotes, which may stand before a heading. */
  private static boolean isBeforeHeading(char c) {
    return " \t>*+-.)".indexOf(c) >= 0 || (c >= '0' && c <= '9');
  }

  private static boolean endsWord(String line, int end) {
    return end == line.length() || line.charAt(end) == ' ' || line.charAt(end) == '\t';
  }

  /** Whether a line makes a heading of the one before it; also in a quote or a list. */
  private static boolean isUnderline(String line) {
    String marks = line.strip();
    return !marks.isEmpty()
        && (run(marks, 0, '=') == marks.length() || run(marks, 0, '-') == marks.length());
  }
}
