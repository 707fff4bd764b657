package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Random hostile documents come out as they went in. The seed is in the description of a failure.
 */
class ItemRoundTripTest {
  private static final int DOCUMENTS = 1000;

  /** Writes a random document twice: plain, and with white space between all tokens. */
  private static final class JsonTexts {
    private static final List<String> NUMBERS =
        List.of(
            "0",
            "-0",
            "0.10",
            "1e400",
            "-1E-400",
            "1.0e+05",
            "9".repeat(30),
            "0.1000000000000000000001");
    private static final List<String> TEXTS =
        List.of(
            "\\u0000",
            "\\ud800",
            "\\uDC00",
            "\\ud83d\\ude00",
            "\\\"",
            "\\\\",
            "\\/",
            "\\n",
            "\\u00e9",
            "é",
            "e\u0301",
            "😀",
            "👩‍👩‍👧",
            "日本",
            "مرحبا",
            "\u202e",
            "\u2028",
            "\u007f",
            "\ufeff",
            " ",
            "a",
            "{",
            "]",
            ":",
            ",",
            "//");
    private static final List<String> SPACES = List.of("", " ", "\n", "\t", "\r\n", "  ");

    final Random random;
    final StringBuilder plain = new StringBuilder();
    final StringBuilder spaced = new StringBuilder();

    JsonTexts(long seed) {
      random = new Random(seed);
      space();
      object(0);
      space();
    }

    private <T> T pick(List<T> choices) {
      return choices.get(random.nextInt(choices.size()));
    }

    private void token(String text) {
      plain.append(text);
      spaced.append(text);
    }

    private void space() {
      spaced.append(pick(SPACES));
    }

    private void object(int depth) {
      token("{");
      Set<String> names = new LinkedHashSet<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        String name = string();
        if (names.add(String.valueOf(Json.read(name)))) {
          space();
          token(names.size() == 1 ? "" : ",");
          space();
          token(name);
          space();
          token(":");
          space();
          value(depth + 1);
        }
      }
      space();
      token("}");
    }

    private void array(int depth) {
      token("[");
      for (int i = 0, n = random.nextInt(5); i < n; i++) {
        token(i == 0 ? "" : ",");
        space();
        value(depth + 1);
        space();
      }
      token("]");
    }

    private void value(int depth) {
      switch (random.nextInt(depth > 6 ? 5 : 8)) {
        case 0 -> token("null");
        case 1 -> token(random.nextBoolean() ? "true" : "false");
        case 2 -> token(pick(NUMBERS));
        case 3, 4 -> token(string());
        case 5 -> array(depth);
        default -> object(depth);
      }
    }

    private String string() {
      StringBuilder text = new StringBuilder("\"");
      int length = random.nextInt(50) == 0 ? 9000 : random.nextInt(6);
      for (int i = 0; i < length; i++) {
        text.append(pick(TEXTS));
      }
      return text.append('"').toString();
    }
  }

  @Test
  void randomDocumentsComeOutAsTheyWentIn() {
    for (long seed = 0; seed < DOCUMENTS; seed++) {
      JsonTexts document = new JsonTexts(seed);
      String plain = document.plain.toString();
      byte[] utf8 = document.spaced.toString().getBytes(StandardCharsets.UTF_8);

      assertThat(Item.parse(plain).json()).describedAs("seed %d", seed).isEqualTo(plain);
      assertThat(Item.parse(document.spaced.toString()).json())
          .describedAs("seed %d", seed)
          .isEqualTo(plain);
      assertThat(Item.parse(utf8, ItemLimits.DEFAULT).json())
          .describedAs("seed %d", seed)
          .isEqualTo(plain);
    }
  }

  @Test
  void theFieldsOfRandomDocumentsPutTogetherAreTheDocument() {
    for (long seed = 0; seed < DOCUMENTS; seed++) {
      String plain = new JsonTexts(seed).plain.toString();
      StringBuilder joined = new StringBuilder();
      Json.fields(plain)
          .forEach((name, raw) -> joined.append(joined.isEmpty() ? "" : ",").append(raw));
      StringBuilder values = new StringBuilder();
      String array = "[" + joined + "]";
      Json.elements(array).forEach(raw -> values.append(values.isEmpty() ? "" : ",").append(raw));

      assertThat(values.toString()).describedAs("seed %d", seed).isEqualTo(joined.toString());
      // Each raw value is a document of its own, and the names are those that were written.
      Json.fields(plain)
          .values()
          .forEach(
              raw ->
                  assertThat(Item.parse("{\"a\":" + raw + "}").json())
                      .isEqualTo("{\"a\":" + raw + "}"));
      assertThat(Json.fields(plain).keySet()).isEqualTo(Json.readObject(plain).keySet());
    }
  }

  @Test
  void aRandomByteThatIsChangedNeverCausesAnythingButARefusal() {
    Random random = new Random(7);
    for (long seed = 0; seed < DOCUMENTS; seed++) {
      byte[] utf8 = new JsonTexts(seed).plain.toString().getBytes(StandardCharsets.UTF_8);
      utf8[random.nextInt(utf8.length)] = (byte) random.nextInt(256);
      try {
        Item item = Item.parse(utf8, ItemLimits.DEFAULT);
        assertThat(item.view()).isNotNull();
        assertThat(Item.parse(item.json())).isEqualTo(item);
      } catch (ClewException.InvalidItem expected) {
        assertThat(expected.getMessage()).describedAs("seed %d", seed).isNotBlank();
      }
    }
  }
}
