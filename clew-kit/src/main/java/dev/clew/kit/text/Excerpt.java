package dev.clew.kit.text;

import dev.clew.json.JsonText;
import dev.clew.kit.text.SearchPhrases.Hit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A short piece of a text around the place that matches a query best, with the matched ranges.
 * Immutable, safe for use by any thread.
 *
 * @param text the piece, on one line, with an ellipsis where the original continues
 * @param highlights the matches within {@code text}, in order, neither touching nor overlapping
 */
public record Excerpt(String text, List<Range> highlights) {

  /** Shorter excerpts are useless; a smaller limit counts as this one. */
  static final int MIN_CHARS = 16;

  private static final String ELLIPSIS = "…";

  /** How much of the context may be given up for the sake of a cut between words. */
  private static final int MAX_TRIM = 24;

  /** Copies the ranges. */
  public Excerpt {
    highlights = List.copyOf(highlights);
  }

  /**
   * Cuts an excerpt. If the query matches the text there is at least one highlight; if it does not,
   * the excerpt is of the beginning or of what matches in part.
   *
   * @param maxChars the most chars of the excerpt, with its ellipses
   */
  public static Excerpt of(String original, SearchPhrases query, int maxChars) {
    String flat = onOneLine(original);
    int limit = Math.max(maxChars, MIN_CHARS);
    int room = limit - 2 * ELLIPSIS.length();
    List<Hit> hits = new ArrayList<>(query.hits(flat));
    hits.sort(Comparator.comparingInt(Hit::start).thenComparingInt(Hit::end));

    Range best = hits.isEmpty() ? new Range(0, 0) : bestWindow(hits, query.phrases().size(), room);
    Range cut =
        flat.length() <= limit ? new Range(0, flat.length()) : withContext(flat, best, room);
    String before = cut.start > 0 ? ELLIPSIS : "";
    String after = cut.end < flat.length() ? ELLIPSIS : "";
    return new Excerpt(
        before + flat.substring(cut.start, cut.end) + after,
        highlightsIn(cut, hits, before.length() - cut.start));
  }

  /**
   * The text with every run of spaces and control characters as one space. Segmenter sees the same
   * terms in it, because to it they all separate words.
   */
  private static String onOneLine(String original) {
    StringBuilder flat = new StringBuilder(original.length());
    for (int at = 0; at < original.length(); at++) {
      char c = original.charAt(at);
      if (Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c)) {
        if (!flat.isEmpty() && flat.charAt(flat.length() - 1) != ' ') {
          flat.append(' ');
        }
      } else {
        flat.append(JsonText.isUnpairedSurrogate(original, at) ? '\uFFFD' : c);
      }
    }
    if (!flat.isEmpty() && flat.charAt(flat.length() - 1) == ' ') {
      flat.setLength(flat.length() - 1);
    }
    return flat.toString();
  }

  /** The first window of at most {@code room} chars with the most phrases, then the most hits. */
  private static Range bestWindow(List<Hit> hits, int phraseCount, int room) {
    Range best = new Range(hits.get(0).start(), hits.get(0).end());
    int bestPhrases = 0;
    int bestHits = 0;
    int[] seen = new int[phraseCount];
    int distinct = 0;
    int next = 0;
    for (int first = 0; first < hits.size(); first++) {
      int start = hits.get(first).start();
      // The window always has its first hit, even one which is too long for it.
      while (next < hits.size() && (next <= first || hits.get(next).end() - start <= room)) {
        if (seen[hits.get(next).phrase()]++ == 0) {
          distinct++;
        }
        next++;
      }
      if (distinct > bestPhrases || (distinct == bestPhrases && next - first > bestHits)) {
        bestPhrases = distinct;
        bestHits = next - first;
        best = new Range(start, maxEnd(hits.subList(first, next)));
      }
      if (--seen[hits.get(first).phrase()] == 0) {
        distinct--;
      }
    }
    return best;
  }

  private static int maxEnd(List<Hit> hits) {
    return hits.stream().mapToInt(Hit::end).max().orElse(0);
  }

  /** Adds text on both sides of the match, more behind it than before, up to {@code room} chars. */
  private static Range withContext(String text, Range match, int room) {
    int spare = Math.max(0, room - (match.end - match.start));
    int start = Math.max(0, match.start - spare / 3);
    int end = Math.min(text.length(), start + room);
    start = Math.max(0, Math.min(start, end - room));
    return new Range(cutForward(text, start, match), cutBackward(text, end, match));
  }

  private static int cutForward(String text, int start, Range match) {
    int latest = Math.min(match.start, start + MAX_TRIM);
    for (int at = start; at <= latest; at++) {
      if (isWordEdge(text, at)) {
        return text.charAt(at) == ' ' && at < latest ? at + 1 : at;
      }
    }
    int at = start;
    while (at < match.start && !isCharacterEdge(text, at)) {
      at++;
    }
    return at;
  }

  private static int cutBackward(String text, int end, Range match) {
    int earliest = Math.max(match.end, end - MAX_TRIM);
    for (int at = end; at >= earliest; at--) {
      if (isWordEdge(text, at)) {
        return at > earliest && text.charAt(at - 1) == ' ' ? at - 1 : at;
      }
    }
    // Only within a match that is too long as a whole may the cut go before its end.
    int at = end;
    while (at > match.start + 1 && !isCharacterEdge(text, at)) {
      at--;
    }
    // Nothing but marks: keep the limit, but never half a surrogate pair.
    if (!isCharacterEdge(text, at)) {
      at = Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end;
    }
    return at;
  }

  private static boolean isWordEdge(String text, int at) {
    if (at == 0 || at == text.length()) {
      return true;
    }
    if (!isCharacterEdge(text, at)) {
      return false;
    }
    return standsAlone(text.codePointBefore(at)) || standsAlone(text.codePointAt(at));
  }

  private static boolean standsAlone(int cp) {
    return CodePoints.isSolitary(cp) || !(CodePoints.isWordPart(cp) || CodePoints.isExtender(cp));
  }

  /** Whether a cut here leaves surrogate pairs, combining sequences and joined emoji whole. */
  private static boolean isCharacterEdge(String text, int at) {
    if (at == 0 || at == text.length()) {
      return true;
    }
    int before = text.codePointBefore(at);
    int after = text.codePointAt(at);
    boolean insidePair =
        Character.isHighSurrogate(text.charAt(at - 1)) && Character.isLowSurrogate(text.charAt(at));
    boolean joined = before == 0x200D && CodePoints.isEmoji(after);
    return !insidePair && !joined && !CodePoints.isExtender(after, before);
  }

  private static List<Range> highlightsIn(Range cut, List<Hit> hits, int shift) {
    List<Range> ranges = new ArrayList<>();
    for (Hit hit : hits) {
      int start = Math.max(hit.start(), cut.start) + shift;
      int end = Math.min(hit.end(), cut.end) + shift;
      if (start >= end) {
        continue;
      }
      int last = ranges.size() - 1;
      if (last >= 0 && start <= ranges.get(last).end) {
        Range merged = ranges.get(last);
        ranges.set(last, new Range(merged.start, Math.max(merged.end, end)));
      } else {
        ranges.add(new Range(start, end));
      }
    }
    return ranges;
  }

  /**
   * A range of chars. Immutable.
   *
   * @param start the first char
   * @param end the char behind the last
   */
  public record Range(int start, int end) {}
}
