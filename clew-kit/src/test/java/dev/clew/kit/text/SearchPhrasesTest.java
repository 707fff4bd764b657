package dev.clew.kit.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.clew.kit.text.SearchPhrases.Phrase;
import java.util.List;
import org.junit.jupiter.api.Test;

class SearchPhrasesTest {

  private static Phrase phrase(boolean prefix, String... terms) {
    return new Phrase(List.of(terms), prefix);
  }

  @Test
  void whitespaceAndQuotesSeparatePhrases() {
    assertThat(SearchPhrases.parse("one \"two  three\"four_five\u3000six").phrases())
        .containsExactly(
            phrase(false, "one"),
            phrase(false, "two", "three"),
            phrase(false, "four", "five"),
            phrase(true, "six"));
  }

  @Test
  void onlyAnUnquotedWordAtTheEndIsAPrefix() {
    assertThat(SearchPhrases.parse("foo_bar ").phrases())
        .containsExactly(phrase(true, "foo", "bar"));
    assertThat(SearchPhrases.parse("你好app").phrases())
        .containsExactly(phrase(true, "你", "好", "app"));
    assertThat(SearchPhrases.parse("app你好").phrases())
        .containsExactly(phrase(false, "app", "你", "好"));
    assertThat(SearchPhrases.parse("foo \"bar\"").phrases())
        .containsExactly(phrase(false, "foo"), phrase(false, "bar"));
    assertThat(SearchPhrases.parse("\"foo ba").phrases())
        .containsExactly(phrase(false, "foo", "ba"));
    assertThat(SearchPhrases.parse("C++").phrases()).containsExactly(phrase(false, "c"));
  }

  @Test
  void aRepeatedPhraseCountsOnce() {
    assertThat(SearchPhrases.parse("\"a\" a \"a\" b").phrases())
        .containsExactly(phrase(false, "a"), phrase(true, "b"));
  }

  @Test
  void aQueryWithoutWordsIsEmptyAndMatchesNothing() {
    SearchPhrases empty = SearchPhrases.parse(" ... \"\" \"");

    assertThat(empty.isEmpty()).isTrue();
    assertThat(empty.phrases()).isEmpty();
    assertThat(empty.matches("text")).isFalse();
    assertThat(empty.fts5()).isEqualTo("\"\"");
  }

  @Test
  void fts5ExpressionQuotesEveryPhrase() {
    assertThat(SearchPhrases.parse("getItems foo_bar 你好 ca").fts5())
        .isEqualTo("\"getitems\" AND \"foo bar\" AND \"你 好\" AND \"ca\" *");
  }

  @Test
  void fts5ExpressionHasNoSyntaxOfTheQuery() {
    assertThat(SearchPhrases.parse("a\" OR NEAR(b* c:^d) -- '; NOT").fts5())
        .isEqualTo("\"a\" AND \"or near b c d not\"");
  }

  @Test
  void aPastedPageIsCutToItsFirstTerms() {
    SearchPhrases phrases = SearchPhrases.parse("长".repeat(10_000) + " tail");

    assertThat(phrases.phrases()).hasSize(1);
    assertThat(phrases.phrases().get(0).terms()).hasSize(SearchPhrases.MAX_TERMS);
  }

  @Test
  void scoreRisesWithOccurrencesAndFallsWithLength() {
    SearchPhrases query = SearchPhrases.parse("cat");

    assertThat(query.score("cat dog cat")).isGreaterThan(query.score("cat dog bird"));
    assertThat(query.score("cat dog")).isGreaterThan(query.score("cat " + "dog ".repeat(50)));
    assertThat(query.score("dog")).isZero();
    assertThat(query.score("cat ".repeat(1000))).isBetween(0.0, 1.0);
  }

  @Test
  void aLongTextScoresByItsBeginning_andMatchesByAllOfIt() {
    SearchPhrases query = SearchPhrases.parse("\"cat\"");

    assertThat(query.score("cat dog ".repeat(100_000)))
        .isCloseTo(query.score("cat dog ".repeat(10_000)), within(1e-3));
    assertThat(query.matches("dog ".repeat(100_000) + "cat")).isTrue();
    assertThat(query.matches("dog ".repeat(100_000))).isFalse();
  }

  @Test
  void equalQueriesAreEqual() {
    assertThat(SearchPhrases.parse("Foo  BAR")).isEqualTo(SearchPhrases.parse("foo bar"));
    assertThat(SearchPhrases.parse("Foo  BAR")).hasSameHashCodeAs(SearchPhrases.parse("foo bar"));
    assertThat(SearchPhrases.parse("foo")).isNotEqualTo(SearchPhrases.parse("bar"));
    assertThat(SearchPhrases.parse("foo")).hasToString("\"foo\" *");
  }

  @Test
  void aPhraseHasTerms() {
    List<String> none = List.of();
    assertThatThrownBy(() -> new Phrase(none, false)).isInstanceOf(IllegalArgumentException.class);
  }
}
