package dev.clew.postgres;

import dev.clew.json.JsonText;
import dev.clew.kit.text.SearchPhrases;
import dev.clew.kit.text.SearchPhrases.Phrase;
import dev.clew.kit.text.Segmenter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Texts and queries as {@code tsvector} and {@code tsquery}. Stateless.
 *
 * <p>Lexemes are the terms of {@link Segmenter}, each pair of neighbours ({@code 'kyoto trip'}),
 * and the owner. A phrase is found by its pairs, from the index alone. Positions of a {@code
 * tsvector} would not do: it keeps 256 for each lexeme and none beyond 16,383, and checks them row
 * by row.
 *
 * <p>The lexemes of a {@code tsvector} have at most a megabyte; the end of a longer text is not
 * found.
 */
final class Terms {
  /** Longer terms are no words; they are cut in texts and queries alike. */
  private static final int MAX_TERM = 100;

  private static final int MAX_BYTES = 1_000_000;

  private Terms() {}

  /** The vector of a text, or an empty text if there is nothing to index. */
  static String vector(String owner, String text) {
    String terms = Segmenter.indexText(text);
    if (terms.isEmpty()) {
      return "";
    }
    Set<String> lexemes = new LinkedHashSet<>();
    lexemes.add(owner(owner));
    long bytes = 0;
    String before = "";
    for (String whole : terms.split(" ", -1)) {
      String term = cut(whole);
      bytes += add(lexemes, term);
      if (!before.isEmpty()) {
        bytes += add(lexemes, before + " " + term);
      }
      if (bytes > MAX_BYTES - 4 * MAX_TERM) {
        break;
      }
      before = term;
    }
    StringBuilder vector = new StringBuilder();
    for (String lexeme : lexemes) {
      vector.append('\'').append(lexeme).append("' ");
    }
    return vector.toString();
  }

  private static long add(Set<String> lexemes, String lexeme) {
    return lexemes.add(lexeme) ? JsonText.utf8Length(lexeme) : 0;
  }

  /** A query for all texts of the owner that may match. */
  static String query(String owner, SearchPhrases phrases) {
    List<String> wanted = new ArrayList<>();
    wanted.add("'" + owner(owner) + "'");
    for (Phrase phrase : phrases.phrases()) {
      List<String> terms = phrase.terms().stream().map(Terms::cut).toList();
      int last = terms.size() - 1;
      for (int i = Math.min(1, last); i <= last; i++) {
        String lexeme = last == 0 ? terms.get(0) : terms.get(i - 1) + " " + terms.get(i);
        wanted.add("'" + lexeme + "'" + (i == last && phrase.prefix() ? ":*" : ""));
      }
    }
    return String.join(" & ", wanted);
  }

  /** No term starts with this sign, so no word is mistaken for an owner. */
  private static String owner(String owner) {
    return "@" + Keys.of(owner);
  }

  private static String cut(String term) {
    if (term.length() <= MAX_TERM) {
      return term;
    }
    return term.substring(
        0, Character.isLowSurrogate(term.charAt(MAX_TERM)) ? MAX_TERM - 1 : MAX_TERM);
  }
}
