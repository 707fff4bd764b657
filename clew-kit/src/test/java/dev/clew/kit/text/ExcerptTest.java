package dev.clew.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.kit.text.Excerpt.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExcerptTest {

  private static final String LOREM = "lorem ipsum dolor sit amet ".repeat(20);

  private static Excerpt excerpt(String text, String query, int maxChars) {
    return Excerpt.of(text, SearchPhrases.parse(query), maxChars);
  }

  private static List<String> marked(Excerpt excerpt) {
    return excerpt.highlights().stream()
        .map(range -> excerpt.text().substring(range.start(), range.end()))
        .toList();
  }

  @Test
  void aShortTextIsShownWhole() {
    assertThat(excerpt("the quick fox", "fox", 80))
        .isEqualTo(new Excerpt("the quick fox", List.of(new Range(10, 13))));
  }

  @Test
  void aLongTextIsCutBetweenWords() {
    Excerpt excerpt = excerpt(LOREM + "needle " + LOREM, "needle", 60);

    assertThat(excerpt.text()).hasSizeLessThanOrEqualTo(60).startsWith("…").endsWith("…");
    assertThat(excerpt.text().substring(1, excerpt.text().length() - 1).split(" "))
        .contains("needle")
        .isSubsetOf("lorem", "ipsum", "dolor", "sit", "amet", "needle");
    assertThat(marked(excerpt)).containsExactly("needle");
  }

  @Test
  void theEllipsisIsOnlyWhereTextIsMissing() {
    assertThat(excerpt("needle " + LOREM, "needle", 60).text()).startsWith("needle").endsWith("…");
    assertThat(excerpt(LOREM + "needle", "needle", 60).text()).startsWith("…").endsWith("needle");
  }

  @Test
  void thePlaceWithMostPhrasesWins() {
    String text = "one " + LOREM + "one two " + LOREM + "one two three " + LOREM + "three";

    assertThat(marked(excerpt(text, "\"one\" \"two\" \"three\"", 80)))
        .containsExactly("one", "two", "three");
  }

  @Test
  void linesBecomeOne() {
    Excerpt excerpt = excerpt("\n  a\r\n\r\n\tb \u0000 needle\n", "needle", 80);

    assertThat(excerpt).isEqualTo(new Excerpt("a b needle", List.of(new Range(4, 10))));
  }

  @Test
  void phrasesAreMarkedAsAWhole() {
    assertThat(marked(excerpt("see foo_bar.baz or 你好吗", "foo-bar 好吗", 80)))
        .containsExactly("foo_bar", "好吗");
    assertThat(marked(excerpt("un cafe\u0301 noir", "cafe noir", 80)))
        .containsExactly("cafe\u0301", "noir");
  }

  @Test
  void aPartOfAnIdentifierIsMarkedAlone() {
    assertThat(marked(excerpt("call getItems() and HTTPServer2", "\"items\" \"server\"", 80)))
        .containsExactly("Items", "Server");
    assertThat(marked(excerpt("call getItems()", "get_items", 80))).containsExactly("getItems");
  }

  @Test
  void withoutAMatchTheBeginningIsShown() {
    assertThat(excerpt(LOREM, "nothing", 30))
        .isEqualTo(new Excerpt("lorem ipsum dolor sit amet…", List.of()));
    assertThat(excerpt("", "x", 30)).isEqualTo(new Excerpt("", List.of()));
    assertThat(excerpt(LOREM, "", 30).text()).startsWith("lorem");
  }

  @Test
  void aMatchLongerThanTheExcerptIsMarkedAsFarAsItGoes() {
    Excerpt excerpt = excerpt("the " + "长".repeat(100) + " end", "长".repeat(100), 20);

    assertThat(excerpt.text()).isEqualTo("…" + "长".repeat(18) + "…");
    assertThat(excerpt.highlights()).containsExactly(new Range(1, 19));
  }

  @Test
  void charactersOfSeveralCodePointsStayWhole() {
    String family = "👨\u200D👩\u200D👧";
    for (int limit = 16; limit < 60; limit++) {
      String cut = excerpt(family.repeat(30) + " x " + "e\u0301".repeat(90), "x", limit).text();
      assertThat(cut).hasSizeLessThanOrEqualTo(limit);
      assertThat(cut.replace("…", "").replace(family, "").replace("e\u0301", "").strip())
          .isEqualTo("x");
    }
  }

  @Test
  void aLimitTooSmallToSayAnythingIsRaised() {
    Excerpt excerpt = excerpt(LOREM + "needle " + LOREM, "needle", -1);

    assertThat(excerpt.text()).hasSizeLessThanOrEqualTo(Excerpt.MIN_CHARS).contains("needle");
  }
}
