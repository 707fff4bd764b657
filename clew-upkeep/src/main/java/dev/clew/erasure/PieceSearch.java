package dev.clew.erasure;

import dev.clew.kit.CompressedText;
import java.util.HashSet;
import java.util.Set;

/**
 * Looks for traces in a file as it comes: in its bytes, and in the packed texts among them. Not
 * thread-safe: made for one file.
 */
final class PieceSearch {
  /** The largest page of a SQLite file: a longer text goes on somewhere else. */
  private static final int AHEAD = 1 << 16;

  private final Traces traces;
  private final Traces.Search plain;
  private final Set<Long> unpacked = new HashSet<>();
  private final byte[] window = new byte[4 * AHEAD];
  private final byte[] text = new byte[AHEAD];
  private int filled;

  PieceSearch(Traces traces) {
    this.traces = traces;
    this.plain = traces.new Search();
  }

  void look(byte[] bytes, int length) {
    plain.look(bytes, length);
    for (int at = 0; at < length; ) {
      int count = Math.min(length - at, window.length - filled);
      System.arraycopy(bytes, at, window, filled, count);
      filled += count;
      at += count;
      if (filled == window.length) {
        lookInside(filled - AHEAD);
        // One more, in which a mark is looked for before the first.
        System.arraycopy(window, filled - AHEAD - 1, window, 0, AHEAD + 1);
        filled = AHEAD + 1;
      }
    }
  }

  /** Looks into the packed texts that begin before a place. */
  private void lookInside(int before) {
    for (int mark = 1; mark < before; mark++) {
      if (CompressedText.isMark(window, mark)) {
        int length = CompressedText.read(window, mark + 1, filled, text);
        Traces.Search search = traces.new Search();
        search.look(text, length);
        unpacked.addAll(search.found());
      }
    }
  }

  /** What was found, when everything has come. */
  Set<Long> found() {
    lookInside(filled);
    unpacked.addAll(plain.found());
    return unpacked;
  }
}
