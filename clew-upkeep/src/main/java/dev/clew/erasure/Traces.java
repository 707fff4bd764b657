package dev.clew.erasure;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Hashes of short pieces of what is going to be erased, by which leftovers are found without
 * keeping a word of it. Not thread-safe.
 *
 * <p>A piece is 32 bytes of a document as it is stored, or 16 of the words in it, which may stand
 * elsewhere in another form. Its hash rolls: that of the next place follows from that of the place
 * before, so a file is looked through once whatever the number of pieces.
 */
final class Traces {
  static final int WINDOW = 32;
  static final int WORDS = 16;

  /** So many pieces of a kind are enough to meet what a store forgot, and fit into a document. */
  private static final int MOST = 8_000;

  private static final long BASE = 0x9E3779B97F4A7C15L | 1;

  /** The last bit of a hash says of which kind it is. */
  private static final long KIND = 1;

  private final Set<Long> hashes = new HashSet<>();

  /** Whether there may be a hash that begins so: most places of a file need no more than that. */
  private final boolean[] beginnings = new boolean[1 << 16];

  private int documents;
  private int words;

  Traces() {}

  Traces(Set<Long> hashes) {
    hashes.forEach(this::keep);
  }

  private void keep(long hash) {
    hashes.add(hash);
    beginnings[beginning(hash)] = true;
  }

  private static int beginning(long hash) {
    return (int) (hash >>> 48);
  }

  private static long power(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= BASE;
    }
    return power;
  }

  private static long kind(long hash, int window) {
    return window == WORDS ? hash | KIND : hash & ~KIND;
  }

  /** Takes pieces of a document: its end, where short messages have their words, and its middle. */
  void add(String document) {
    byte[] bytes = Words.utf8(document);
    if (documents < MOST) {
      documents += take(bytes, bytes.length - WINDOW - 4, WINDOW); // behind it are only brackets
      if (bytes.length > 4 * WINDOW) {
        documents += take(bytes, bytes.length / 2, WINDOW);
      }
    }
  }

  /** Takes pieces of a text, as it is and as it may be escaped. */
  void addWords(String text) {
    String plain = Words.plainest(text);
    for (String form :
        new String[] {plain, Words.escaped(plain, false), Words.escaped(plain, true)}) {
      byte[] bytes = Words.utf8(form);
      if (words < MOST && bytes.length >= WORDS) {
        words += take(bytes, 0, WORDS);
        words += take(bytes, bytes.length - WORDS, WORDS);
      }
    }
  }

  private int take(byte[] bytes, int from, int window) {
    if (from < 0) {
      return 0;
    }
    long hash = 0;
    for (int i = 0; i < window; i++) {
      hash = hash * BASE + (bytes[from + i] & 0xff);
    }
    keep(kind(hash, window));
    return 1;
  }

  /** Those of words only. */
  Traces words() {
    return new Traces(
        hashes.stream().filter(hash -> (hash & KIND) != 0).collect(Collectors.toSet()));
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
    private final Set<Long> found = new HashSet<>();
    private final Rolling documents = new Rolling(WINDOW);
    private final Rolling words = new Rolling(WORDS);

    void look(byte[] bytes, int length) {
      documents.look(bytes, length);
      words.look(bytes, length);
    }

    Set<Long> found() {
      return found;
    }

    /** One width of pieces. */
    private final class Rolling {
      private final byte[] window;
      private final long leaving;
      private long hash;
      private long seen;

      Rolling(int width) {
        window = new byte[width];
        leaving = power(width - 1);
      }

      void look(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
          int at = (int) (seen % window.length);
          hash -= (window[at] & 0xff) * leaving;
          hash = hash * BASE + (bytes[i] & 0xff);
          window[at] = bytes[i];
          seen++;
          if (beginnings[beginning(hash)] && seen >= window.length) {
            long piece = kind(hash, window.length);
            if (hashes.contains(piece)) {
              found.add(piece);
            }
          }
        }
      }
    }
  }
}
