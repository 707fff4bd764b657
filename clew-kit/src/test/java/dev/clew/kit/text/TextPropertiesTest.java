package dev.clew.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.kit.text.Excerpt.Range;
import dev.clew.kit.text.Segmenter.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every text, tried on many: each seed is one run over random texts. */
class TextPropertiesTest {

  private static final boolean SOAK = Boolean.getBoolean("clew.soak");
  private static final int SEEDS = SOAK ? 20 : 5;
  private static final int TEXTS_PER_SEED = 400;

  /** Ranges that texts are drawn from, so that unlike characters often meet. */
  private static final int[][] RANGES = {
    {'a', 'e'},
    {'A', 'E'},
    {'0', '3'},
    {' ', '/'},
    {0x00, 0x20},
    {0xA0, 0x250},
    {0x300, 0x36F},
    {0x370, 0x6FF},
    {0x900, 0x97F},
    {0xE00, 0xEFF},
    {0x1000, 0x11FF},
    {0x1780, 0x19FF},
    {0x2000, 0x206F},
    {0x2100, 0x27BF},
    {0x3000, 0x33FF},
    {0x4E00, 0x4E20},
    {0xA720, 0xA7FF},
    {0xAC00, 0xAC20},
    {0xD7B0, 0xDFFF}, // with lone surrogates
    {0xFB00, 0xFFFF},
    {0x1D400, 0x1D7FF},
    {0x1F000, 0x1FAFF},
    {0x20000, 0x323AF},
    {0xE0000, 0xE01EF},
    {0, 0x10FFFF}
  };

  static IntStream seeds() {
    return IntStream.range(0, SEEDS);
  }

  private static String randomText(Random random, int maxLength) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(maxLength);
    int[] range = RANGES[0];
    for (int i = 0; i < length; i++) {
      if (random.nextInt(3) == 0) {
        range = RANGES[random.nextInt(RANGES.length)];
      }
      text.appendCodePoint(range[0] + random.nextInt(range[1] - range[0] + 1));
    }
    return text.toString();
  }

  private static List<String> words(List<Term> terms) {
    return terms.stream().map(Term::text).toList();
  }

  @Test
  void everyCodePointGivesTermsThatAreTermsAgain() {
    for (int cp = 0; cp <= Character.MAX_CODE_POINT; cp++) {
      assertStable(Character.toString(cp));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void indexTextHasTheSameTermsAgain(int seed) {
    Random random = new Random(seed);
    for (int i = 0; i < TEXTS_PER_SEED; i++) {
      assertStable(randomText(random, 80));
    }
  }

  private static void assertStable(String text) {
    String index = Segmenter.indexText(text);
    List<String> terms = words(Segmenter.terms(text));
    List<String> all = words(Segmenter.terms(index));
    if (!index.equals(String.join(" ", all))
        || !all.subList(0, terms.size()).equals(terms)
        || !index.codePoints().allMatch(TextPropertiesTest::isIndexable)) {
      assertThat(index).as("index text of [%s]", text).isEqualTo(String.join(" ", all));
      assertThat(all).startsWith(terms.toArray(String[]::new));
      assertThat(index.codePoints()).allMatch(TextPropertiesTest::isIndexable);
    }
  }

  private static boolean isIndexable(int cp) {
    return cp == ' '
        || (cp >= '0' && cp <= '9')
        || (Character.isLetter(cp) && Character.toLowerCase(cp) == cp);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void placesAreInOrderAndCutNoSurrogatePair(int seed) {
    Random random = new Random(seed);
    for (int i = 0; i < TEXTS_PER_SEED; i++) {
      String text = randomText(random, 80);
      int before = 0;
      for (Term term : Segmenter.terms(text)) {
        assertThat(term.text()).isNotEmpty();
        assertThat(term.start()).isGreaterThanOrEqualTo(before).isLessThan(term.end());
        assertThat(term.end()).isLessThanOrEqualTo(text.length());
        assertThat(cutsPair(text, term.start()) || cutsPair(text, term.end())).isFalse();
        before = term.start();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aTextIsFoundByEachOfItsPieces(int seed) {
    Random random = new Random(seed);
    for (int i = 0; i < TEXTS_PER_SEED; i++) {
      String text = randomText(random, 80);
      List<Term> terms = Segmenter.terms(text);
      if (terms.isEmpty()) {
        continue;
      }
      int from = random.nextInt(terms.size());
      int to = from + random.nextInt(terms.size() - from);
      SearchPhrases query =
          SearchPhrases.parse('"' + String.join(" ", words(terms).subList(from, to + 1)) + '"');
      if (!query.isEmpty() && !query.matches(text)) {
        // A text that has the break letter itself is the one exception: queries cannot have it.
        assertThat(words(terms)).as("[%s] by %s", text, query).contains(Segmenter.BREAK);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void excerptsAgreeWithMatchesAndStayWithinBounds(int seed) {
    Random random = new Random(seed);
    int matches = 0;
    for (int i = 0; i < TEXTS_PER_SEED; i++) {
      String text = randomText(random, 300);
      SearchPhrases query = SearchPhrases.parse(randomQuery(random, text));
      int limit = 16 + random.nextInt(80);

      Excerpt excerpt = Excerpt.of(text, query, limit);

      boolean match = query.matches(text);
      matches += match ? 1 : 0;
      assertThat(query.score(text) > 0).isEqualTo(match);
      assertThat(excerpt.text()).hasSizeLessThanOrEqualTo(limit).doesNotContain("\n");
      assertThat(excerpt.text().codePoints()).noneMatch(TextPropertiesTest::isSurrogate);
      assertThat(match && excerpt.highlights().isEmpty()).as("[%s] by %s", text, query).isFalse();
      int before = -1;
      for (Range range : excerpt.highlights()) {
        assertThat(range.start()).isGreaterThan(before).isLessThan(range.end());
        assertThat(range.end()).isLessThanOrEqualTo(excerpt.text().length());
        assertThat(cutsPair(excerpt.text(), range.start())).isFalse();
        assertThat(cutsPair(excerpt.text(), range.end())).isFalse();
        before = range.end();
      }
    }
    assertThat(matches).as("matching texts tried").isGreaterThan(TEXTS_PER_SEED / 10);
  }

  /** Now and then something else than a piece of the text. */
  private static String randomQuery(Random random, String text) {
    if (text.isEmpty() || random.nextInt(5) == 0) {
      return randomText(random, 6);
    }
    List<String> pieces = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int from = random.nextInt(text.length());
      pieces.add(text.substring(from, Math.min(text.length(), from + 1 + random.nextInt(6))));
    }
    return String.join(" ", pieces);
  }

  private static boolean isSurrogate(int cp) {
    return cp >= Character.MIN_SURROGATE && cp <= Character.MAX_SURROGATE;
  }

  private static boolean cutsPair(String text, int at) {
    return at > 0
        && at < text.length()
        && Character.isSurrogatePair(text.charAt(at - 1), text.charAt(at));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The getItems call, HTTPServer2. ",
        "今天天气很好。",
        "aB3",
        "e\u0301\u0327",
        "\u0327\u0301",
        "\uD83D",
        "\n "
      })
  void aTextOfMegabytesIsReadInOnePass(String unit) {
    int chars = SOAK ? 5_000_000 : 1_000_000;
    String text = unit.repeat(chars / unit.length());
    SearchPhrases query = SearchPhrases.parse(unit);

    assertThat(query.matches(text)).isEqualTo(!query.isEmpty());
    assertThat(Excerpt.of(text, query, 200).text()).hasSizeLessThanOrEqualTo(200);
    assertThat(Segmenter.indexText(text).isEmpty()).isEqualTo(query.isEmpty());
  }
}
