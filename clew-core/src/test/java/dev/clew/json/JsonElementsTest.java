package dev.clew.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Elements one by one, held against all of them at once. */
class JsonElementsTest {
  private static final int MOST = 20_000;

  private static JsonElements of(String text) throws IOException {
    return new JsonElements(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), MOST, 100);
  }

  private static List<String> read(String text) throws IOException, Json.Malformed {
    List<String> found = new ArrayList<>();
    try (JsonElements elements = of(text)) {
      for (JsonElements.Element element = elements.next();
          element != null;
          element = elements.next()) {
        found.add(String.valueOf(element.text()));
      }
      assertThat(elements.bytesRead()).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
    return found;
  }

  private static String value(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> "{\"a\": [1, {\"b\" : \"]}\\\"\"}], \"c\":" + value(random) + "}";
      case 1 -> "\"" + "京x😀\\n".repeat(random.nextInt(2000)) + "\"";
      case 2 -> "-1.50e7";
      case 3 -> "null";
      case 4 -> "[ ]";
      case 5 -> "true";
      default -> "[" + "7,".repeat(random.nextInt(5000)) + "0]";
    };
  }

  @Test
  void randomArrays_comeElementForElementAndLargeOnesWithoutText()
      throws IOException, Json.Malformed {
    Random random = new Random(3);
    for (int round = 0; round < 40; round++) {
      List<String> values = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        values.add(random.nextInt(10) == 0 ? "\"" + "y".repeat(3 * MOST) + "\"" : value(random));
      }
      String text =
          (round % 2 == 0 ? "\uFEFF" : "") + " [ " + String.join(" ,\n", values) + " ] \n";
      List<String> expected =
          values.stream().map(value -> value.length() > 2 * MOST ? "null" : value).toList();
      assertThat(read(text)).isEqualTo(expected);
    }
  }

  @Test
  void aDocumentThatIsNoArray_isItsOnlyElement() throws IOException, Json.Malformed {
    assertThat(read(" {\"a\": 1} ")).containsExactly("{\"a\": 1}");
    assertThat(read("[]")).isEmpty();
  }

  @Test
  void whatIsWrongIsToldWithItsPlace() {
    assertThatThrownBy(() -> read("[1,\n 2")).hasMessageContaining("line 2");
    assertThatThrownBy(() -> read("[1,\n x]")).hasMessageContaining("line 2, column");
    assertThatThrownBy(() -> read("{} {}")).hasMessageContaining("text after the end");
    assertThatThrownBy(() -> read("[".repeat(200))).hasMessageContaining("deeper than 100");
    assertThatThrownBy(() -> read("")).hasMessageContaining("no JSON");
  }
}
