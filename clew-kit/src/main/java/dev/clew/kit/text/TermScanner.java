package dev.clew.kit.text;

import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one text that finds its terms and the parts of its identifiers. Not thread-safe:
 * make one for each text.
 */
final class TermScanner {

  /** Where the scanner puts what it finds. */
  @FunctionalInterface
  interface Sink {
    void accept(String term, int start, int end);
  }

  /**
   * Longest term, in chars. A longer word (encoded data, as a rule) becomes a row of terms, which a
   * query for it becomes too; tokenizers have limits of their own, each a different one.
   */
  static final int MAX_TERM = 128;

  /**
   * Normalizing takes quadratic time in the marks on one letter; no writing has more than a few.
   */
  private static final int MAX_MARKS = 30;

  /** A word of more parts is a hash or an identifier that is not searched by its half. */
  private static final int MAX_JOINED_PARTS = 8;

  private enum Kind {
    LOWER,
    UPPER,
    DIGIT,
    MARK
  }

  private final String text;
  private final Sink terms;
  private final @Nullable Sink parts;

  // The word being read: its spelling, and for each letter of the original its kind, its place in
  // the spelling and its place in the text.
  private final StringBuilder word = new StringBuilder(MAX_TERM);
  private final Kind[] kinds = new Kind[MAX_TERM];
  private final int[] spelledAt = new int[MAX_TERM + 1];
  private final int[] starts = new int[MAX_TERM];
  private final int[] ends = new int[MAX_TERM];
  private int letters;
  private boolean solitary;
  private boolean tooLong;
  private boolean stopped;

  private final StringBuilder spelling = new StringBuilder();
  private final StringBuilder cluster = new StringBuilder();
  private final int[] partStarts = new int[MAX_TERM + 1];

  TermScanner(String text, Sink terms) {
    this(text, terms, null);
  }

  TermScanner(String text, Sink terms, @Nullable Sink parts) {
    this.text = text;
    this.terms = terms;
    this.parts = parts;
  }

  /** Ends the pass with the word that was found last. */
  void stop() {
    stopped = true;
  }

  void scan() {
    int at = 0;
    while (at < text.length() && !stopped) {
      char c = text.charAt(at);
      boolean plain = c < 0x80 && (at + 1 == text.length() || text.charAt(at + 1) < 0x80);
      int end = plain ? at + 1 : clusterEnd(at);
      if (plain) {
        readAscii(c, at);
      } else {
        readCluster(at, end);
      }
      at = end;
    }
    endWord();
  }

  private int clusterEnd(int start) {
    int base = text.codePointAt(start);
    int end = start + Character.charCount(base);
    while (end < text.length()) {
      int cp = text.codePointAt(end);
      if (!CodePoints.isExtender(cp, base)) {
        break;
      }
      end += Character.charCount(cp);
    }
    return end;
  }

  private void readAscii(char c, int at) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
      addLetter(c, at, at + 1);
    } else {
      endWord();
    }
  }

  /** Reads one character as people see it: a code point and what belongs to it. */
  private void readCluster(int start, int end) {
    int base = text.codePointAt(start);
    if (CodePoints.isExtender(base)) {
      return; // at the very beginning of the text, with nothing to belong to
    }
    if (CodePoints.isWordPart(base)) {
      readWordPart(base, start, end);
    } else if (Character.getType(base) == Character.OTHER_SYMBOL || CodePoints.isEmoji(base)) {
      readSymbol(base, start, end);
    } else {
      endWord();
    }
  }

  private void readWordPart(int base, int start, int end) {
    if (end - start == 1 && isComposed(base)) {
      addLetter(base, start, end);
      return;
    }
    String normal =
        Normalizer.normalize(
            significant(start, end),
            CodePoints.keepsCompatibilityForm(base) ? Normalizer.Form.NFC : Normalizer.Form.NFKC);
    // A fraction must not run into the number before it, as in 3½.
    boolean apart =
        Character.getType(base) == Character.OTHER_NUMBER
            && normal.codePointCount(0, normal.length()) > 1;
    readNormal(normal, start, end, apart);
  }

  /** The bulk of Chinese, Japanese and Korean text, which needs no normalizing. */
  private static boolean isComposed(int cp) {
    return (cp >= 0x4E00 && cp <= 0x9FFF)
        || (cp >= 0x3041 && cp <= 0x3096)
        || (cp >= 0x30A1 && cp <= 0x30FE)
        || (cp >= 0xAC00 && cp <= 0xD7A3);
  }

  private void readSymbol(int base, int start, int end) {
    String normal = Normalizer.normalize(Character.toString(base), Normalizer.Form.NFKC);
    if (normal.codePointAt(0) != base) {
      // As letters, but never of the next word: a trademark sign is not part of a name.
      readNormal(normal, start, end, normal.codePointCount(0, normal.length()) > 1);
    } else if (CodePoints.isEmoji(base)) {
      addLetter(base, start, end);
    } else {
      endWord();
    }
  }

  /** A cluster without what cannot be seen, and with no more marks than writing needs. */
  private String significant(int start, int end) {
    cluster.setLength(0);
    int count = 0;
    for (int at = start; at < end && count <= MAX_MARKS; ) {
      int cp = text.codePointAt(at);
      if (at == start || !CodePoints.isIgnorable(cp)) {
        cluster.appendCodePoint(cp);
        count++;
      }
      at += Character.charCount(cp);
    }
    return cluster.toString();
  }

  private void readNormal(String normal, int start, int end, boolean apart) {
    if (apart) {
      endWord();
    }
    int base = ' ';
    for (int at = 0; at < normal.length(); ) {
      int cp = normal.codePointAt(at);
      at += Character.charCount(cp);
      if (CodePoints.isIgnorable(cp)) {
        continue; // the tatweel that carries a mark in some presentation forms
      }
      if (CodePoints.isMark(cp)) {
        if (CodePoints.keepsMarks(base)) {
          add(cp, Kind.MARK, start, end);
        }
      } else if (CodePoints.isWordPart(cp)) {
        base = cp;
        addUnaccented(cp, start, end);
      } else {
        base = ' ';
        endWord();
      }
    }
    if (apart) {
      endWord();
    }
  }

  private void addUnaccented(int cp, int start, int end) {
    if (cp < 0x80 || !CodePoints.hasAccents(cp)) {
      addLetter(cp, start, end);
      return;
    }
    String bare = Normalizer.normalize(Character.toString(cp), Normalizer.Form.NFD);
    bare.codePoints().filter(c -> !CodePoints.isMark(c)).forEach(c -> addLetter(c, start, end));
  }

  private void addLetter(int cp, int start, int end) {
    boolean alone = CodePoints.isSolitary(cp);
    if (alone || solitary) {
      endWord();
    }
    solitary = alone;
    add(cp, kindOf(cp), start, end);
  }

  private static Kind kindOf(int cp) {
    if (Character.isUpperCase(cp) || Character.isTitleCase(cp)) {
      return Kind.UPPER;
    }
    return CodePoints.isNumber(cp) ? Kind.DIGIT : Kind.LOWER;
  }

  private void add(int cp, Kind kind, int start, int end) {
    spelling.setLength(0);
    CodePoints.appendFolded(cp, spelling);
    if (word.length() + spelling.length() > MAX_TERM) {
      tooLong = true;
      endTerm();
    }
    kinds[letters] = kind;
    spelledAt[letters] = word.length();
    starts[letters] = start;
    ends[letters] = end;
    letters++;
    word.append(spelling);
  }

  private void endWord() {
    endTerm();
    tooLong = false;
    solitary = false;
  }

  private void endTerm() {
    if (letters == 0) {
      return;
    }
    terms.accept(word.toString(), starts[0], ends[letters - 1]);
    if (parts != null && letters > 1 && !tooLong) {
      addParts(parts);
    }
    word.setLength(0);
    letters = 0;
  }

  private void addParts(Sink sink) {
    int count = findParts();
    if (count == 1) {
      return;
    }
    sink.accept(Segmenter.BREAK, starts[0], starts[0]);
    for (int part = 0; part < count; part++) {
      addRun(part, part + 1, sink);
    }
    if (count > MAX_JOINED_PARTS) {
      return;
    }
    // The beginnings and the ends of the word, so that server2 and HTTPServer find HTTPServer2.
    for (int part = 1; part < count - 1; part++) {
      sink.accept(Segmenter.BREAK, starts[0], starts[0]);
      addRun(0, part + 1, sink);
      sink.accept(Segmenter.BREAK, starts[0], starts[0]);
      addRun(part, count, sink);
    }
  }

  private void addRun(int fromPart, int toPart, Sink sink) {
    int first = partStarts[fromPart];
    int last = partStarts[toPart] - 1;
    sink.accept(word.substring(spelledAt[first], spelledAt[last + 1]), starts[first], ends[last]);
  }

  /** Fills {@link #partStarts}, with the end of the word behind the last part. */
  private int findParts() {
    spelledAt[letters] = word.length();
    int count = 0;
    partStarts[count++] = 0;
    Kind before = kinds[0];
    for (int at = 1; at < letters; at++) {
      Kind kind = kinds[at];
      if (kind == Kind.MARK) {
        continue;
      }
      if (isPartStart(before, kind, at + 1 < letters ? kinds[at + 1] : Kind.UPPER)) {
        partStarts[count++] = at;
      }
      before = kind;
    }
    partStarts[count] = letters;
    return count;
  }

  private static boolean isPartStart(Kind before, Kind kind, Kind after) {
    if (before == Kind.DIGIT || kind == Kind.DIGIT) {
      return before != kind;
    }
    // The S of getServer, and that of HTTPServer.
    return kind == Kind.UPPER && (before == Kind.LOWER || after == Kind.LOWER);
  }
}
