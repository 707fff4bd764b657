package dev.clew.internal.text;

import dev.clew.internal.text.Segmenter.Term;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A parsed search query: every phrase must be present, and the last word also matches as the
 * beginning of a longer one. Immutable, safe for use by any thread.
 *
 * <p>{@link #matches} is the meaning of a query. A store that searches with an index of {@link
 * Segmenter#indexText} must find the same texts.
 */
public final class SearchPhrases {

  /** A pasted page is no query; what goes beyond this many terms is left out. */
  static final int MAX_TERMS = 256;

  /** Text length, in terms, at which one occurrence counts half. */
  private static final double HALF_LENGTH = 200;

  private final List<Phrase> phrases;

  private SearchPhrases(List<Phrase> phrases) {
    this.phrases = phrases;
  }

  /**
   * Parses what a person typed. Whitespace separates phrases, {@code "quoted text"} is one phrase,
   * and so is a run such as {@code foo_bar} or {@code 你好}. A query that ends in an unquoted word of
   * a script with spaces matches that word as a prefix as well, because it may still be being
   * typed.
   */
  public static SearchPhrases parse(String query) {
    return new Parser(query).parse();
  }

  /** Whether there is nothing to search for. An empty query matches no text. */
  public boolean isEmpty() {
    return phrases.isEmpty();
  }

  /** The phrases, without repetitions, in the order of the query. */
  public List<Phrase> phrases() {
    return phrases;
  }

  /** Whether a text has all the phrases. */
  public boolean matches(String text) {
    if (isEmpty()) {
      return false;
    }
    List<Term> terms = Segmenter.indexTerms(text);
    return phrases.stream().allMatch(phrase -> phrase.find(terms, 0) >= 0);
  }

  /**
   * How well a text matches: more the more often it has each phrase, less the longer it is.
   *
   * @return 0 if the text does not match, else above 0 and at most the number of phrases
   */
  public double score(String text) {
    List<Term> terms = Segmenter.indexTerms(text);
    double score = 0;
    for (Phrase phrase : phrases) {
      int count = 0;
      for (int at = phrase.find(terms, 0); at >= 0; at = phrase.find(terms, at + 1)) {
        count++;
      }
      if (count == 0) {
        return 0;
      }
      score += count / (count + terms.size() / HALF_LENGTH);
    }
    return score;
  }

  /**
   * The query as an expression for {@code MATCH} of SQLite's FTS5. All of it but quotes, {@code
   * AND} and {@code *} are terms of {@link Segmenter}, that is letters and digits, so nothing in a
   * query can act as syntax.
   *
   * @return the expression; for an empty query one that matches nothing
   */
  public String fts5() {
    if (isEmpty()) {
      return "\"\"";
    }
    StringBuilder expression = new StringBuilder();
    for (Phrase phrase : phrases) {
      expression
          .append(expression.isEmpty() ? "\"" : " AND \"")
          .append(String.join(" ", phrase.terms()))
          .append(phrase.prefix() ? "\" *" : "\"");
    }
    return expression.toString();
  }

  /** Every occurrence of every phrase, ordered by phrase and then as in the index. */
  List<Hit> hits(String text) {
    List<Term> terms = Segmenter.indexTerms(text);
    List<Hit> hits = new ArrayList<>();
    for (int i = 0; i < phrases.size(); i++) {
      Phrase phrase = phrases.get(i);
      for (int at = phrase.find(terms, 0); at >= 0; at = phrase.find(terms, at + 1)) {
        Term last = terms.get(at + phrase.terms().size() - 1);
        hits.add(new Hit(i, terms.get(at).start(), last.end()));
      }
    }
    return hits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SearchPhrases that && phrases.equals(that.phrases);
  }

  @Override
  public int hashCode() {
    return phrases.hashCode();
  }

  @Override
  public String toString() {
    return fts5();
  }

  /**
   * Terms that must follow each other. Immutable.
   *
   * @param terms at least one term
   * @param prefix whether the last term may be the beginning of a longer one
   */
  public record Phrase(List<String> terms, boolean prefix) {

    /** Checks and copies the terms. */
    public Phrase {
      terms = List.copyOf(terms);
      if (terms.isEmpty()) {
        throw new IllegalArgumentException("a phrase has at least one term");
      }
    }

    /** The index of the first occurrence at or after {@code from}, or -1. */
    private int find(List<Term> text, int from) {
      for (int at = from; at <= text.size() - terms.size(); at++) {
        if (isAt(text, at)) {
          return at;
        }
      }
      return -1;
    }

    private boolean isAt(List<Term> text, int at) {
      int last = terms.size() - 1;
      for (int i = 0; i < last; i++) {
        if (!text.get(at + i).text().equals(terms.get(i))) {
          return false;
        }
      }
      String found = text.get(at + last).text();
      String wanted = terms.get(last);
      return prefix ? found.startsWith(wanted) : found.equals(wanted);
    }
  }

  /** One occurrence of a phrase, from the first char of its first term to the end of its last. */
  record Hit(int phrase, int start, int end) {}

  /** The state of {@link #parse}. */
  private static final class Parser {

    private final String query;
    private final Set<Phrase> phrases = new LinkedHashSet<>();
    private int room = MAX_TERMS;

    Parser(String query) {
      this.query = query;
    }

    SearchPhrases parse() {
      int end = query.length();
      while (end > 0 && isSpace(query.charAt(end - 1))) {
        end--;
      }
      int at = 0;
      while (at < end && room > 0) {
        boolean quoted = isQuote(query.charAt(at));
        int from = quoted ? at + 1 : at;
        int to = from;
        while (to < end && !isEnd(query.charAt(to), quoted)) {
          to++;
        }
        add(query.substring(from, to), !quoted && to == end);
        // Beyond what ended the phrase, unless that is the quote which opens the next one.
        at = to < end && !quoted && isQuote(query.charAt(to)) ? to : to + 1;
      }
      return new SearchPhrases(List.copyOf(phrases));
    }

    private void add(String piece, boolean last) {
      List<Term> terms =
          Segmenter.terms(piece).stream()
              // Typed by hand, it would reach from the words of a text to the parts of others.
              .filter(term -> !term.text().equals(Segmenter.BREAK))
              .limit(room)
              .toList();
      if (terms.isEmpty()) {
        return;
      }
      room -= terms.size();
      Term end = terms.get(terms.size() - 1);
      // A word that something follows is complete: C++ is not the beginning of Clew.
      boolean prefix =
          last
              && end.end() == piece.length()
              && !CodePoints.isSolitary(piece.codePointAt(end.start()));
      phrases.add(new Phrase(terms.stream().map(Term::text).toList(), prefix));
    }

    private static boolean isEnd(char c, boolean quoted) {
      return isQuote(c) || (!quoted && isSpace(c));
    }

    private static boolean isSpace(char c) {
      return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    /** Phones put typographic quotes where their owners typed plain ones. */
    private static boolean isQuote(char c) {
      return c == '"' || c == '“' || c == '”' || c == '„' || c == '＂';
    }
  }
}
