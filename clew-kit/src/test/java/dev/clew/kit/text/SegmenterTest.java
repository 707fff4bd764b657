package dev.clew.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.kit.text.Segmenter.Term;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmenterTest {

  private static List<String> words(String text) {
    return Segmenter.terms(text).stream().map(Term::text).toList();
  }

  @Test
  void termsHaveTheirPlaceInTheOriginal() {
    assertThat(Segmenter.terms("Cafe\u0301, 你好!"))
        .containsExactly(new Term("cafe", 0, 5), new Term("你", 7, 8), new Term("好", 8, 9));
  }

  @Test
  void wordsAreRunsOfLettersAndDigits() {
    assertThat(words("foo.bar-baz snake_case C++ a1b2"))
        .containsExactly("foo", "bar", "baz", "snake", "case", "c", "a1b2");
  }

  @Test
  void aTextWithoutWordsHasNoTerms() {
    assertThat(words("")).isEmpty();
    assertThat(words(" \n\u0000\uD800 -- \u0301\u200D")).isEmpty();
    assertThat(Segmenter.indexText("...")).isEmpty();
  }

  @Test
  void whatIsNoLetterToTokenizersIsSpelledInLettersAndDigits() {
    assertThat(words("🚀 𠮷 कि")).containsExactly("\uA73F1f680", "\uA73F20bb7", "क\uA73F0093f");
  }

  @Test
  void partsFollowTheTextBehindBreaks() {
    assertThat(Segmenter.indexText("a getItems b HTTPServer2"))
        .isEqualTo(
            "a getitems b httpserver2"
                + " \uA73F get items"
                + " \uA73F http server 2 \uA73F httpserver \uA73F server2");
  }

  @Test
  void aPlainTextHasNoPartsAndNoBreak() {
    assertThat(Segmenter.indexText("Nothing HERE, to Cut up 123"))
        .isEqualTo("nothing here to cut up 123");
  }

  @Test
  void aVeryLongWordIsARowOfTerms() {
    String blob = "aB3".repeat(100);

    assertThat(words(blob)).extracting(String::length).containsExactly(128, 128, 44);
    assertThat(Segmenter.indexText(blob)).doesNotContain(Segmenter.BREAK);
    assertThat(SearchPhrases.parse(blob.substring(0, 200)).matches("see " + blob)).isTrue();
    assertThat(SearchPhrases.parse(blob.substring(0, 50)).matches("see " + blob)).isTrue();
    assertThat(SearchPhrases.parse(blob.substring(1, 200)).matches("see " + blob)).isFalse();
  }
}
