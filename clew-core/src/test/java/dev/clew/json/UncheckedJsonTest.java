package dev.clew.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UncheckedJsonTest {
  private static final List<String> SCALARS =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-1.50e+3",
          "\"\"",
          "\"a\"",
          "\"\\\"\"",
          "\"\\\\\"",
          "\"\\\\\\\"]},\"",
          "\"{[,:\"",
          "\"\\u0022\"",
          "\"\u00e9\ud83d\ude00\"");
  private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t\r ");

  private final Random random = new Random(7);

  @Test
  void whatIsCutOutOfAnyDocument_isWhatTheParserFinds() throws Json.Malformed {
    for (int i = 0; i < 3_000; i++) {
      String object = space() + object(3) + space();
      assertThat(UncheckedJson.fields(object)).as(object).isEqualTo(Json.fields(object));
      assertThat(UncheckedJson.fields(object).keySet())
          .containsExactlyElementsOf(Json.fields(object).keySet());
      assertThat(JsonText.depth(object)).isEqualTo(Json.checkStored(object).depth());
      String array = space() + array(3) + space();
      assertThat(UncheckedJson.elements(array)).as(array).isEqualTo(Json.elements(array));
    }
  }

  @Test
  void theHead_isReadFromTheOutermostFieldsThatAreTexts() {
    assertThat(
            UncheckedJson.head(
                "{ \"id\" : 7, \"\\u0074ype\": \"a\\\"b\" , \"x\":{\"role\":\"no\"}, \"id\":\"i\"}"))
        .isEqualTo(new Json.Head("a\"b", null, "i", 0));
    assertThat(UncheckedJson.head("{}")).isEqualTo(new Json.Head(null, null, null, 0));
  }

  @Test
  void anotherKindOfValue_isNeitherAnArrayNorHasFields() {
    assertThatThrownBy(() -> UncheckedJson.elements("{}"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(UncheckedJson.fields(" [1]")).isEqualTo(Json.fields(" [1]")).isEmpty();
  }

  private String value(int depth) {
    return switch (random.nextInt(depth == 0 ? 1 : 3)) {
      case 0 -> SCALARS.get(random.nextInt(SCALARS.size()));
      case 1 -> object(depth - 1);
      default -> array(depth - 1);
    };
  }

  private String object(int depth) {
    List<String> fields = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String name = random.nextInt(5) == 0 ? "\"\\\\\\\"" + i + "\"" : "\"f" + i + "\"";
      fields.add(space() + name + space() + ":" + space() + value(depth) + space());
    }
    return "{" + (fields.isEmpty() ? space() : String.join(",", fields)) + "}";
  }

  private String array(int depth) {
    List<String> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      elements.add(space() + value(depth) + space());
    }
    return "[" + (elements.isEmpty() ? space() : String.join(",", elements)) + "]";
  }

  private String space() {
    return SPACES.get(random.nextInt(SPACES.size()));
  }
}
