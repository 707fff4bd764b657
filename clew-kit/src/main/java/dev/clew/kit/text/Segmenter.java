package dev.clew.kit.text;

import java.util.ArrayList;
import java.util.List;

/**
 * The terms of a text: what one search index entry, one query word and one highlight have in
 * common. Stateless, safe for use by any thread.
 *
 * <p>A term is a run of letters and digits, without case and accents; or one character of a script
 * that does not put spaces between words (Chinese, Japanese, Korean, Thai and others); or one
 * emoji. The spelling of a term has letters and digits only: marks that matter, emoji and letters
 * unknown to older Unicode tables are spelled as an escape letter and five hexadecimal digits.
 *
 * <p>An identifier such as {@code getItems} is the term {@code getitems}. Its parts {@code get} and
 * {@code items} are indexed as well, behind the terms of the whole text, so that they do not come
 * between words which are neighbours.
 */
public final class Segmenter {

  /** The term between the text and the parts, and between the parts of two words. */
  static final String BREAK = String.valueOf(CodePoints.ESCAPE);

  private Segmenter() {}

  /**
   * The terms in order, without the parts of identifiers.
   *
   * @return the terms, each with its place in {@code text}
   */
  public static List<Term> terms(String text) {
    List<Term> terms = new ArrayList<>();
    new TermScanner(text, (term, start, end) -> terms.add(new Term(term, start, end))).scan();
    return terms;
  }

  /**
   * What a full-text index stores for a text: its terms, then the parts of its identifiers, joined
   * by single spaces. It holds only lower-case letters, digits and spaces, so that SQLite's {@code
   * unicode61} or {@code ascii} and PostgreSQL's {@code simple} cut it back into the same terms.
   */
  public static String indexText(String text) {
    StringBuilder terms = new StringBuilder(text.length() + 16);
    StringBuilder parts = new StringBuilder();
    new TermScanner(
            text,
            (term, start, end) -> appendTerm(term, terms),
            (term, start, end) -> appendTerm(term, parts))
        .scan();
    return parts.isEmpty() ? terms.toString() : terms.append(' ').append(parts).toString();
  }

  private static void appendTerm(String term, StringBuilder out) {
    if (!out.isEmpty()) {
      out.append(' ');
    }
    out.append(term);
  }

  /**
   * One term of a text. Immutable.
   *
   * @param text the spelling that is compared
   * @param start where it begins in the original text, in chars
   * @param end where it ends there, exclusive, with the combining marks that belong to it
   */
  public record Term(String text, int start, int end) {}
}
