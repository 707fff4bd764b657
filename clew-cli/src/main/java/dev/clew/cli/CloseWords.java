package dev.clew.cli;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Which words somebody may have meant. Stateless. */
final class CloseWords {
  /** From this length on two edits are a slip. */
  private static final int LONG = 8;

  private CloseWords() {}

  /** The words that one edit makes of what was typed, or two if it is long. */
  static List<String> of(String typed, Collection<String> words) {
    int most = typed.length() < LONG ? 1 : 2;
    return words.stream().filter(word -> edits(typed, word) <= most).toList();
  }

  /** How many letters are added, left out, replaced, or swapped with the next one. */
  private static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    Arrays.setAll(edits[0], column -> column);
    for (int i = 1; i <= from.length(); i++) {
      edits[i][0] = i;
      for (int k = 1; k <= to.length(); k++) {
        boolean same = from.charAt(i - 1) == to.charAt(k - 1);
        int least = edits[i - 1][k - 1] + (same ? 0 : 1);
        least = Math.min(least, Math.min(edits[i - 1][k], edits[i][k - 1]) + 1);
        if (i > 1
            && k > 1
            && from.charAt(i - 1) == to.charAt(k - 2)
            && from.charAt(i - 2) == to.charAt(k - 1)) {
          least = Math.min(least, edits[i - 2][k - 2] + 1);
        }
        edits[i][k] = least;
      }
    }
    return edits[from.length()][to.length()];
  }
}
