package dev.clew.kit.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What people type, against the texts it has to find and those it must not. */
class SearchFixtureTest {

  static Stream<Arguments> found() {
    return Stream.of(
        // English
        arguments("The quick brown fox", "quick"),
        arguments("The quick brown fox", "QUICK fox"),
        arguments("The quick brown fox", "\"quick brown\""),
        arguments("The quick brown fox", "“quick brown”"),
        arguments("The quick brown fox", "fox the bro"),
        arguments("The quick brown fox", "\"brown fox"),
        arguments("It's done, isn't it?", "isn't"),
        arguments("a well-known fact", "well known"),
        arguments("a well-known fact", "well-known"),
        arguments("Released on 2024-05-17.", "2024-05"),
        arguments("co\u00ADoperate", "cooperate"),
        // Chinese
        arguments("今天天气很好", "天"),
        arguments("今天天气很好", "天气"),
        arguments("今天天气很好", "今天 很好"),
        arguments("今天天气很好", "\"天气很好\""),
        arguments("请把API文档发给我", "api文档"),
        arguments("请把API文档发给我", "文档"),
        arguments("2024年计划", "2024年"),
        arguments("𠮷野家", "𠮷野"),
        arguments("𠮷野家", "家"),
        arguments("葛\uDB40\uDD00飾区", "葛飾"),
        arguments("⼀般", "一般"),
        arguments("ㄋㄧˇㄏㄠˇ", "ㄋㄧˇ"),
        // Japanese
        arguments("東京タワーへ行きました", "東京"),
        arguments("東京タワーへ行きました", "タワー"),
        arguments("ｶﾞﾗｽのｺｯﾌﾟ", "ガラス"),
        arguments("ガラスのコップ", "ｺｯﾌﾟ"),
        arguments("カ\u3099ラス", "ガラス"),
        arguments("人々の時々", "人々"),
        arguments("㈱クルー", "株"),
        arguments("ジョン・スミス", "ジョンスミス"),
        // Korean
        arguments("안녕하세요 세계", "안녕"),
        arguments("안녕하세요 세계", "계"),
        arguments("\u1112\u1161\u11AB\u1100\u1173\u11AF", "한글"),
        arguments("한글", "\u1112\u1161\u11AB"),
        arguments("ㅋㅋㅋ 좋아요 ㅠㅠ", "ㅋㅋ ㅠㅠ"),
        // Accents, case, width
        arguments("un café noir", "cafe"),
        arguments("un café noir", "cafe\u0301"),
        arguments("un cafe\u0301 noir", "café noir"),
        arguments("un cafe noir", "CAFÉ noir"),
        arguments("Straße nach Süden", "strasse suden"),
        arguments("STRASSE", "straße"),
        arguments("İstanbul ve Iğdır", "istanbul igdir"),
        arguments("istanbul", "İSTANBUL"),
        arguments("Łódź and Ærø", "lodz aero"),
        arguments("ΟΔΥΣΣΕΥΣ", "οδυσσεύς"),
        arguments("Ёлка", "елка"),
        arguments("Ｆｕｌｌ　ｗｉｄｔｈ １２３", "full 123"),
        arguments("the ﬁle", "file"),
        arguments("H₂O and x²", "h2o x2"),
        arguments("مُحَمَّد", "محمد"),
        arguments("שָׁלוֹם", "שלום"),
        arguments("٣٤ كتاب", "34"),
        // Other scripts
        arguments("हिन्दी भाषा", "हिन्दी"),
        arguments("हिन्दी भाषा", "भा"),
        arguments("ภาษาไทยน้ำ", "ไทย"),
        arguments("ภาษาไทยน้ำ", "น้ำ"),
        arguments("ship it 🚀🚀 👍🏽", "🚀 👍"),
        // Code
        arguments("call getItems() now", "getItems"),
        arguments("call getItems() now", "getitems now"),
        arguments("call getItems() now", "items now"),
        arguments("call getItems() now", "get_items now"),
        arguments("call getItemsById now", "itemsById now"),
        arguments("call getItemsById now", "getItems now"),
        arguments("snake_case_name", "snake_case_name"),
        arguments("snake_case_name", "case"),
        arguments("snake_case_name", "CASE_NAME"),
        arguments("MAX_VALUE = 3", "max_value"),
        arguments("new HTTPServer2(80)", "httpserver2"),
        arguments("new HTTPServer2(80)", "\"server\""),
        arguments("new HTTPServer2(80)", "\"HTTPServer\" \"server2\" \"http\""),
        arguments("foo.bar-baz", "foo.bar-baz"),
        arguments("foo.bar-baz", "bar"),
        arguments("written in C++ and C#", "C++"),
        arguments("id a1b2", "A1B2"),
        arguments("id a1b2", "\"b\""),
        arguments("src/main/java/App.java:42", "java/App.java:42"),
        arguments("https://example.org/a?b=c", "example.org"),
        arguments("java.lang.NullPointerException: x", "\"pointer\" exception"));
  }

  static Stream<Arguments> notFound() {
    return Stream.of(
        arguments("The quick brown fox", "\"brown quick\""),
        arguments("The quick brown fox", "\"quick bro\""),
        arguments("The quick brown fox", "qui fox"),
        arguments("The quick brown fox", "quick cat"),
        arguments("今天天气很好", "气天"),
        arguments("天很气", "天气"),
        arguments("カラス", "ガラス"),
        arguments("हिन्दी", "हन्द"),
        arguments("की", "कि"),
        arguments("น้า", "นา"),
        arguments("Clew is here", "C++"),
        arguments("fooBar getItems", "\"bar get\""),
        arguments("plain fooBar", "\"plain foo\""),
        arguments("fooBar", "\"foobar foo\""),
        arguments("Clew™ rocks", "clewtm"),
        arguments("3½", "31"),
        arguments("text", ""),
        arguments("text", " \t\u3000"),
        arguments("text", "?! -- \"\""),
        arguments("", "text"),
        arguments("fooBar", "\"foobar \uA73F foo\""));
  }

  @ParameterizedTest(name = "[{1}] in [{0}]")
  @MethodSource("found")
  void findsTheText(String text, String query) {
    SearchPhrases phrases = SearchPhrases.parse(query);

    assertThat(phrases.matches(text)).isTrue();
    assertThat(phrases.score(text)).isPositive();
    Excerpt excerpt = Excerpt.of(text, phrases, 200);
    assertThat(excerpt.text()).isEqualTo(text.replace('\u3000', ' '));
    assertThat(excerpt.highlights()).isNotEmpty();
  }

  @ParameterizedTest(name = "[{1}] not in [{0}]")
  @MethodSource("notFound")
  void leavesTheTextOut(String text, String query) {
    SearchPhrases phrases = SearchPhrases.parse(query);

    assertThat(phrases.matches(text)).isFalse();
    assertThat(phrases.score(text)).isZero();
  }
}
