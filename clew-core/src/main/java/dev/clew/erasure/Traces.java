package dev.clew.erasure;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Hashes of short pieces of what is going to be erased, by which leftovers are found without
 * keeping a word of it. Not thread-safe.
 *
 * <p>A piece is 32 bytes. Its hash rolls: that of the next place follows from that of the place
 * before, so a file is looked through once whatever the number of pieces.
 */
final class Traces {
  static final int WINDOW = 32;

  /** So many pieces are enough to meet what a store forgot, and fit into a record. */
  private static final int MOST = 8_000;

  private static final long BASE = 0x9E3779B97F4A7C15L | 1;
  private static final long LEAVING = power(WINDOW - 1);

  private final Set<Long> hashes;

  Traces() {
    this(Set.of());
  }

  Traces(Set<Long> hashes) {
    this.hashes = new HashSet<>(hashes);
  }

  private static long power(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= BASE;
    }
    return power;
  }

  /** Takes pieces of a text: its end, where short messages have their words, and its middle. */
  void add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    take(bytes, bytes.length - WINDOW - 4); // behind it are only brackets
    if (bytes.length > 4 * WINDOW) {
      take(bytes, bytes.length / 2);
    }
  }

  private void take(byte[] bytes, int from) {
    if (from >= 0 && hashes.size() < MOST) {
      long hash = 0;
      for (int i = 0; i < WINDOW; i++) {
        hash = hash * BASE + (bytes[from + i] & 0xff);
      }
      hashes.add(hash);
    }
  }

  int size() {
    return hashes.size();
  }

  /** In an order of their own, so that nothing tells of the order they were taken in. */
  Set<Long> hashes() {
    return new TreeSet<>(hashes);
  }

  /** Looks through bytes as they come. Not thread-safe. */
  final class Search {
    private final byte[] window = new byte[WINDOW];
    private final Set<Long> found = new HashSet<>();
    private long hash;
    private long seen;

    void look(byte[] bytes, int length) {
      for (int i = 0; i < length; i++) {
        int at = (int) (seen % WINDOW);
        hash -= (window[at] & 0xff) * LEAVING;
        hash = hash * BASE + (bytes[i] & 0xff);
        window[at] = bytes[i];
        seen++;
        if (seen >= WINDOW && hashes.contains(hash)) {
          found.add(hash);
        }
      }
    }

    Set<Long> found() {
      return found;
    }
  }
}
