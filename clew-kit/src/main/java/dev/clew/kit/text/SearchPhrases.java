package dev.clew.kit.text;

import dev.clew.kit.text.Segmenter.Term;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

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

  /** How much of a long text is enough to count a phrase. */
  private static final int ENOUGH_TERMS = 1 << 14;

  /** Where a text has a phrase more often than this, the rest does not matter to an excerpt. */
  private static final int MAX_HITS = 1000;

  private final List<Phrase> phrases;
  private final int longest;

  private SearchPhrases(List<Phrase> phrases) {
    this.phrases = phrases;
    this.longest = phrases.stream().mapToInt(phrase -> phrase.terms().size()).max().orElse(1);
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
    return score(text) > 0;
  }

  /**
   * How well a text matches: more the more often it has each phrase, less the longer it is. Takes
   * no memory worth mentioning, however long the text is; of a long one that has all phrases, the
   * beginning stands for the rest.
   *
   * @return 0 if the text does not match, else above 0 and at most the number of phrases
   */
  public double score(String text) {
    int[] counts = new int[phrases.size()];
    int[] found = {0};
    int terms =
        scan(
            text,
            (phrase, start, end) -> found[0] += counts[phrase]++ == 0 ? 1 : 0,
            seen -> seen > ENOUGH_TERMS && found[0] == counts.length);
    double score = 0;
    for (int count : counts) {
      if (count == 0) {
        return 0;
      }
      score += count / (count + terms / HALF_LENGTH);
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

  /** The first occurrences of every phrase, as many as an excerpt can be chosen from. */
  List<Hit> hits(String text) {
    List<Hit> hits = new ArrayList<>();
    int[] counts = new int[phrases.size()];
    scan(
        text,
        (phrase, start, end) -> {
          if (counts[phrase]++ < MAX_HITS) {
            hits.add(new Hit(phrase, start, end));
          }
        },
        seen -> hits.size() == MAX_HITS * counts.length);
    return hits;
  }

  /**
   * Finds the occurrences of every phrase.
   *
   * @param enough asked with the number of terms seen, whether to look no further
   * @return how many terms were seen, with the parts of identifiers
   */
  private int scan(String text, Found found, IntPredicate enough) {
    Tail terms = new Tail(found);
    Tail parts = new Tail(found); // apart, so that no phrase spans text and parts
    TermScanner[] scanner = new TermScanner[1];
    scanner[0] =
        new TermScanner(
            text,
            (term, start, end) -> {
              terms.add(term, start, end);
              if (enough.test(terms.count + parts.count)) {
                scanner[0].stop();
              }
            },
            parts::add);
    scanner[0].scan();
    return terms.count + parts.count;
  }

  /** Takes an occurrence of a phrase. */
  private interface Found {
    void at(int phrase, int start, int end);
  }

  /** The last terms of a text, as many as the longest phrase has. Not thread-safe. */
  private final class Tail {
    private final Found found;
    private final String[] terms = new String[longest];
    private final int[] starts = new int[longest];
    private int count;

    Tail(Found found) {
      this.found = found;
    }

    void add(String term, int start, int end) {
      int at = count++ % longest;
      terms[at] = term;
      starts[at] = start;
      for (int i = 0; i < phrases.size(); i++) {
        Phrase phrase = phrases.get(i);
        int length = phrase.terms().size();
        if (length <= count && phrase.endsWith(term) && isBefore(phrase)) {
          found.at(i, starts[(count - length) % longest], end);
        }
      }
    }

    /** Whether all but the last term of a phrase precede the last term of the text. */
    private boolean isBefore(Phrase phrase) {
      int length = phrase.terms().size();
      for (int i = 0; i < length - 1; i++) {
        if (!phrase.terms().get(i).equals(terms[(count - length + i) % longest])) {
          return false;
        }
      }
      return true;
    }
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

    private boolean endsWith(String term) {
      String wanted = terms.get(terms.size() - 1);
      return prefix ? term.startsWith(wanted) : term.equals(wanted);
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
              // Typed by hand, it would match from the words of a text into its parts.
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
