package dev.clew.jsonl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a file into complete batches, and finds an incomplete write. Stateless and thread-safe.
 *
 * <p>A batch whose end is missing was never acknowledged, so it is left out; one with a damaged
 * line was, so its other lines count. Both lack a readable last line. An incomplete write shows in
 * too few lines, a last line without its line end, or zeros in a block that was never written.
 */
final class LineScanner {
  private static final byte[] START = "{\"type\":\"".getBytes(StandardCharsets.US_ASCII);

  /**
   * A line or its remains.
   *
   * @param line null if it is damaged
   * @param from its start in the file
   * @param to its end, without the line end
   */
  record Piece(@Nullable Line line, int from, int to) {}

  /**
   * The content of a file.
   *
   * @param pieces the lines that count
   * @param end where the next batch is written
   * @param lineEnd whether the last line before that has its line end
   */
  record Found(List<Piece> pieces, int end, boolean lineEnd) {}

  private LineScanner() {}

  static Found scan(byte[] bytes) {
    List<Piece> pieces = new ArrayList<>();
    int from = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        add(pieces, bytes, from, at);
        from = at + 1;
      }
    }
    boolean lineEnd = true;
    int end = from;
    if (from < bytes.length) {
      Piece last = unfinished(bytes, from);
      if (last != null) {
        pieces.add(last);
        lineEnd = false;
        end = bytes.length;
      }
    }
    int whole = whole(pieces, bytes);
    if (whole < pieces.size()) {
      end = pieces.get(whole).from();
      lineEnd = true;
    }
    return new Found(pieces.subList(0, whole), end, lineEnd);
  }

  private static void add(List<Piece> pieces, byte[] bytes, int from, int to) {
    if (isBlank(bytes, from, to)) {
      return;
    }
    Line line = line(bytes, from, to);
    if (line == null) {
      salvage(pieces, bytes, from, to);
    } else {
      pieces.add(new Piece(line, from, to));
    }
  }

  private static @Nullable Line line(byte[] bytes, int from, int to) {
    Line line = Line.sealed(bytes, from, to, from);
    return line == null ? Line.foreign(bytes, from, to, from) : line;
  }

  /** Recovers lines whose line end was damaged. */
  private static void salvage(List<Piece> pieces, byte[] bytes, int from, int to) {
    Line alone = Line.sealed(bytes, from, to - 1, from);
    if (alone != null) {
      pieces.add(new Piece(alone, from, to - 1));
      return;
    }
    for (int at = from + 1; at + START.length < to; at++) {
      Line second = startsAt(bytes, at) ? Line.sealed(bytes, at, to, at) : null;
      if (second != null) {
        Line first = Line.sealed(bytes, from, at - 1, from);
        pieces.add(new Piece(first, from, first == null ? at : at - 1));
        pieces.add(new Piece(second, at, to));
        return;
      }
    }
    pieces.add(new Piece(null, from, to));
  }

  private static boolean startsAt(byte[] bytes, int at) {
    return Arrays.equals(bytes, at, at + START.length, START, 0, START.length);
  }

  /** The last line of a file, if only its line end is missing. */
  private static @Nullable Piece unfinished(byte[] bytes, int from) {
    Line foreign = Line.foreign(bytes, from, bytes.length, from);
    if (foreign != null) {
      return new Piece(foreign, from, bytes.length);
    }
    // A damaged line end is a byte after the line; an incomplete write has none.
    int to = bytes.length - 1;
    Line ours = Line.sealed(bytes, from, to, from);
    return ours == null ? null : new Piece(ours, from, to);
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  /** How many pieces belong to complete batches. */
  private static int whole(List<Piece> pieces, byte[] bytes) {
    int end = pieces.size();
    while (end > 0 && hasHole(pieces.get(end - 1), bytes)) {
      end--;
    }
    int at = end - 1;
    while (at >= 0 && pieces.get(at).line() == null) {
      at--;
    }
    Line last = at < 0 ? null : pieces.get(at).line();
    if (last == null) {
      return end;
    }
    int missing = last.part()[1] - last.part()[0];
    if (end - 1 - at >= missing) {
      return end; // the missing lines are damaged, not unwritten
    }
    return startOfBatch(pieces, at, last.part());
  }

  /**
   * Whether a block was never written, which leaves zeros. Our lines have none; a single one is a
   * damaged byte.
   */
  private static boolean hasHole(Piece piece, byte[] bytes) {
    for (int i = piece.from(); i < piece.to() && piece.line() == null; i++) {
      if (bytes[i] == 0 && bytes[i + 1] == 0) {
        return true;
      }
    }
    return false;
  }

  private static int startOfBatch(List<Piece> pieces, int at, int[] part) {
    int start = at;
    while (start > 0 && at - start < part[0] - 1) {
      Line before = pieces.get(start - 1).line();
      if (before != null && (before.part()[1] != part[1] || before.part()[0] >= part[0])) {
        break;
      }
      start--;
    }
    return start;
  }
}
