package dev.clew.server.internal.describe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionUpdate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstTitleTest {
  private static String of(String said) {
    return FirstTitle.of(List.of(Item.user(said))).orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Where do swallows sleep? I have never seen it.|Where do swallows sleep?",
        "下周三下午2点开会。还有别的吗|下周三下午2点开会",
        "Version 12.5 of it|Version 12.5 of it",
        "Hi. How are you?|Hi. How are you?",
        "# A **bold** [link](x)|A bold link(x)",
        "Fix C# issue #42|Fix C# issue #42",
        "yes|yes",
        "See you.|See you",
      })
  void itIsTheFirstSentence_orTheFirstLine(String said, String title) {
    assertThat(of(said)).isEqualTo(title);
  }

  @Test
  void itIsOneLine_withoutCodeAndControlCharacters() {
    assertThat(of("```java\nint x;\n```\nWhat is this\nthing")).isEqualTo("What is this");
    assertThat(of("```java\nint x;\n```")).isEqualTo("```java");
    assertThat(of("a\tb\u0007c")).isEqualTo("a b c");
    assertThat(of("half \uD800")).isEqualTo("half \uFFFD");
    assertThat(of("  \n ")).isEmpty();
  }

  @Test
  void aLongOneIsCutBetweenWords_andBetweenCharacters() {
    assertThat(of("word ".repeat(30))).hasSizeLessThanOrEqualTo(60).endsWith("word…");
    String emoji = "\uD83D\uDE00".repeat(1500);
    assertThat(of("x" + emoji)).endsWith("\uD83D\uDE00…");
    assertThat(SessionUpdate.none().title(of("x" + emoji)).title()).isPresent();
  }

  @Test
  void itIsWhatTheUserSaidFirst_orTheNameOfAFile() {
    List<Item> items =
        List.of(Item.assistant("Welcome"), Item.user(" "), Item.user("first"), Item.user("then"));
    assertThat(FirstTitle.of(items)).contains("first");
    Item file =
        Item.parse(
            "{\"role\":\"user\",\"content\":[{\"type\":\"input_file\",\"filename\":\"plan.pdf\","
                + "\"file_data\":\"data:application/pdf;base64,AAAA\"}]}");
    assertThat(FirstTitle.of(List.of(file))).contains("plan.pdf");
    assertThat(FirstTitle.of(List.of(Item.assistant("Welcome")))).isEmpty();
  }
}
