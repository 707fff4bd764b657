package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ItemTest {
  private static final ItemLimits ROOMY = new ItemLimits(64 << 20, 5000);

  private static String nested(int depth) {
    return "{\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"z\":1,\"a\":2,\"m\":{\"y\":[],\"b\":null}}",
        "{\"n\":[0.10,1e400,-0,1E+2,-0.0e-7,123456789012345678901234567890]}",
        "{\"s\":\"\\u0000\\u0041\\/\\b\\f\\n\\r\\t\\\"\\\\\"}",
        "{\"s\":\"\\ud800\"}",
        "{\"s\":\"\\udc00 \\ud83d\\ude00 \\uD83D\"}",
        "{\"s\":\"日本語 😀 👩‍👩‍👧 مرحبا \u202e \ufeff \u2028 \u007f\"}",
        "{\"\":\"\",\"é\":1,\"e\u0301\":2}",
        "{\"type\":\"never_heard_of\",\"x\":{\"y\":true}}",
      })
  void whatComesOutIsWhatWentIn(String json) {
    assertThat(Item.parse(json).json()).isEqualTo(json);
    assertThat(Item.parse(json.getBytes(StandardCharsets.UTF_8), ItemLimits.DEFAULT).json())
        .isEqualTo(json);
  }

  @Test
  void onlyWhiteSpaceBetweenTokensIsDropped() {
    assertThat(Item.parse(" {\t\"a b\" :\r\n[ 1 , \" x \\\" y \" ] }\n").json())
        .isEqualTo("{\"a b\":[1,\" x \\\" y \"]}");
  }

  @Test
  void aRawUnpairedSurrogateBecomesItsEscape() {
    assertThat(Item.parse("{\"a\\\\\":\"x\ud800y\udc00\ud83d\ude00\ud83d\"}").json())
        .isEqualTo("{\"a\\\\\":\"x\\ud800y\\udc00\ud83d\ude00\\ud83d\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                           | nothing",
        "[]                           | an array",
        "\"text\"                     | a string",
        "1                            | a number",
        "null                         | null",
        "true                         | true",
        "{\"a\":1} x                  | character 8",
        "{\"a\":1}{}                  | after the end",
        "{\"a\":NaN}                  | NaN",
        "{\"a\":-Infinity}            | at character",
        "{\"a\":1,}                   | at character 7",
        "{\"a\":01}                   | at character",
        "{\"a\":+1}                   | at character",
        "{\"a\":.5}                   | at character",
        "{\"a\":1.}                   | at character",
        "{a:1}                        | at character 1",
        "{'a':1}                      | at character 1",
        "{\"a\":1 /* note */}         | at character",
        "{\"a\":1 // note             | at character",
        "{\"a\":\"\\x\"}              | at character",
        "{\"a\":\"\\u12\"}            | at character",
        "{\"a\":\"open                | at character",
        "{\"a\":[1}                   | at character",
        "{\"a\":                      | at character",
        "{                            | at character",
      })
  void aMalformedDocumentIsRefusedWithItsPlace(String json, String expected) {
    assertThatThrownBy(() -> Item.parse(json))
        .isInstanceOf(ClewException.InvalidItem.class)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":1}",
        "{\"x\":[{\"a\":1,\"\\u0061\":2}]}",
        "{\"é\":1,\"\\u00e9\":2}"
      })
  void aKeyThatIsThereTwiceIsRefusedHoweverItIsSpelt(String json) {
    assertThatThrownBy(() -> Item.parse(json))
        .isInstanceOf(ClewException.InvalidItem.class)
        .hasMessageContaining("Duplicate")
        .hasMessageContaining("at character");
  }

  @Test
  void equalKeysInDifferentObjectsAreFine() {
    assertThat(Item.parse("{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":1}]}").json()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":\"\u0000\"}", "{\"a\":\"\n\"}", "\ufeff{}", "{\u00a0}"})
  void rawControlCharactersAndOtherSpacesAreRefused(String json) {
    assertThatThrownBy(() -> Item.parse(json)).isInstanceOf(ClewException.InvalidItem.class);
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[][] bad = {
      {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}'},
      {'{', '"', 'a', '"', ':', '"', (byte) 0xc3, '"', '}'}, // cut short
      {'{', '"', 'a', '"', ':', '"', (byte) 0xc0, (byte) 0x80, '"', '}'}, // overlong
      {'{', '"', 'a', '"', ':', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', '}'}, // surrogate
      "{}".getBytes(StandardCharsets.UTF_16LE),
      {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '{', '}'}, // byte order mark
    };
    for (byte[] utf8 : bad) {
      assertThatThrownBy(() -> Item.parse(utf8, ItemLimits.DEFAULT))
          .describedAs(Arrays.toString(utf8))
          .isInstanceOf(ClewException.InvalidItem.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "0.", "1e", "0.1e-"})
  void aNumberOfAThousandCharactersIsTakenAndALongerOneRefused(String head) {
    int rest = 1000 - head.length();
    String longest = "{\"n\":" + head + "1".repeat(rest) + "}";

    assertThat(Item.parse(longest).json()).isEqualTo(longest);
    assertThatThrownBy(() -> Item.parse("{\"n\":" + head + "1".repeat(rest + 1) + "}"))
        .isInstanceOf(ClewException.InvalidItem.class)
        .hasMessageContaining("a number of more than 1000")
        .hasMessageContaining("send it as a string");
  }

  @Test
  void nestingOf200LevelsIsTakenAndOf201Refused() {
    assertThat(Item.parse(nested(200)).json()).isEqualTo(nested(200));
    assertThatThrownBy(() -> Item.parse(nested(201)))
        .isInstanceOf(ClewException.InvalidItem.class)
        .hasMessageContaining("deeper than 200")
        .hasMessageContaining("ItemLimits.maxDepth");
    assertThat(Item.parse(nested(201), ROOMY).json()).isEqualTo(nested(201));
    assertThatThrownBy(() -> Item.parse("{\"a\":" + "[".repeat(1_000_000)))
        .isInstanceOf(ClewException.InvalidItem.class);
  }

  @Test
  void theSizeLimitCountsBytesNotCharacters() {
    ItemLimits limits = ItemLimits.DEFAULT.maxBytes(20);
    String ascii = "{\"a\":\"" + "x".repeat(12) + "\"}";
    String wide = "{\"a\":\"" + "é".repeat(6) + "\"}";
    String emoji = "{\"a\":\"" + "😀".repeat(3) + "\"}";

    for (String fits : List.of(ascii, wide, emoji)) {
      assertThat(Item.parse(fits, limits).json()).isEqualTo(fits);
      String over = fits.replace("\"}", "x\"}");
      assertThatThrownBy(() -> Item.parse(over, limits))
          .isInstanceOf(ClewException.InvalidItem.class)
          .hasMessageContaining("21 bytes")
          .hasMessageContaining("limit is 20");
    }
  }

  @Test
  void aBatchNamesTheIndexOfTheFirstBadText() {
    assertThatThrownBy(() -> Item.parseAll(List.of("{}", "{}", "[]", "{")))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isEqualTo(2))
        .hasMessageStartingWith("item 2: ");
    assertThatThrownBy(() -> Item.parseAll(Arrays.asList("{}", null)))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isEqualTo(1));
  }

  @Test
  void theStoresLimitsCatchItemsMadeWithRoomierOnes() {
    Item large = Item.parse("{\"a\":\"" + "x".repeat(2 << 20) + "\"}", ROOMY);
    Item deep = Item.parse(nested(300), ROOMY);
    Item made = Item.user("x".repeat(1 << 20));
    Item fine = Item.user("hello");

    ItemLimits.STORE.check(List.of(fine, large, made));
    assertThatThrownBy(() -> ItemLimits.DEFAULT.check(List.of(fine, large)))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isEqualTo(1));
    assertThatThrownBy(() -> ItemLimits.DEFAULT.check(List.of(fine, fine, made)))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isEqualTo(2));
    assertThatThrownBy(() -> ItemLimits.STORE.check(List.of(deep)))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isZero());
    assertThatThrownBy(() -> ItemLimits.STORE.check(Arrays.asList(fine, null)))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isEqualTo(1));
  }

  @Test
  void typeAndIdComeFromTheTopLevelOnly() {
    Item item = Item.parse("{\"x\":{\"type\":\"no\",\"id\":\"no\"},\"id\":\"m1\",\"type\":\"t\"}");

    assertThat(item.type()).isEqualTo("t");
    assertThat(item.id()).contains("m1");
    assertThat(Item.trusted(item.json()).type()).isEqualTo("t");
    assertThat(Item.trusted(item.json()).id()).contains("m1");
  }

  @Test
  void typeAndIdThatAreNotTextDoNotCount() {
    Item item = Item.parse("{\"type\":7,\"id\":null,\"role\":[\"user\"]}");

    assertThat(item.type()).isEmpty();
    assertThat(item.id()).isEmpty();
  }

  @Test
  void escapedNamesAndValuesAreUnderstood() {
    Item item = Item.parse("{\"\\u0074ype\":\"m\\u0065ssage\",\"r\\u006fle\":\"user\"}");

    assertThat(item.type()).isEqualTo("message");
  }

  @Test
  void theShortFormIsAMessage() {
    assertThat(Item.parse("{\"role\":\"user\",\"content\":\"Hello\"}").type()).isEqualTo("message");
    assertThat(Item.trusted("{\"role\":\"user\",\"content\":\"Hello\"}").type())
        .isEqualTo("message");
  }

  @Test
  void factoriesWriteTheFormsOfTheWire() {
    assertThat(Item.user("Hi \"you\"\n\ud800").json())
        .isEqualTo(
            "{\"type\":\"message\",\"role\":\"user\",\"content\":"
                + "[{\"type\":\"input_text\",\"text\":\"Hi \\\"you\\\"\\n\\ud800\"}]}");
    assertThat(Item.assistant("a").json()).contains("\"assistant\"", "\"output_text\"");
    assertThat(Item.system("a").json()).contains("\"system\"", "\"input_text\"");
    assertThat(Item.developer("a").json()).contains("\"developer\"", "\"input_text\"");
    assertThat(Item.functionCall("call_1", "get_weather", "{\"a\": 1}").json())
        .isEqualTo(
            "{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"get_weather\","
                + "\"arguments\":\"{\\\"a\\\": 1}\"}");
    assertThat(Item.functionCallOutput("call_1", "ok").json())
        .isEqualTo("{\"type\":\"function_call_output\",\"call_id\":\"call_1\",\"output\":\"ok\"}");
  }

  @Test
  void whatFactoriesMakeIsWhatParsingTakes() {
    String hostile = "\u0000\u001f\"\\/\ud800 \udc00 😀 \u2028";
    for (Item made :
        List.of(
            Item.user(hostile),
            Item.assistant(hostile),
            Item.functionCall(hostile, hostile, hostile),
            Item.functionCallOutput(hostile, hostile),
            Item.message(
                Role.USER, List.of(Part.image(hostile, hostile), Part.audio(hostile, null))))) {
      assertThat(Item.parse(made.json())).isEqualTo(made);
      assertThat(Item.parse(made.json().getBytes(StandardCharsets.UTF_8), ROOMY)).isEqualTo(made);
    }
    assertThat(((View.Message) Item.user(hostile).view()).text()).isEqualTo(hostile);
  }

  @Test
  void itemsAreEqualWhenTheirTextIs() {
    assertThat(Item.parse("{\"a\": 1}")).isEqualTo(Item.trusted("{\"a\":1}"));
    assertThat(Item.parse("{\"a\": 1}")).hasSameHashCodeAs(Item.trusted("{\"a\":1}"));
    assertThat(Item.parse("{\"a\":1}")).isNotEqualTo(Item.parse("{\"a\":1.0}"));
    assertThat(Item.parse("{\"a\":1}")).hasToString("{\"a\":1}");
  }
}
