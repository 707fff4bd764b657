package dev.clew.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void valuesAreReadWithoutLoss() {
    assertThat(
            Json.read(
                "[1,-9223372036854775808,9223372036854775808,0.10,1e400,true,null,\"\\u00e9\"]"))
        .isEqualTo(
            Arrays.asList(
                1L,
                Long.MIN_VALUE,
                new BigInteger("9223372036854775808"),
                new BigDecimal("0.10"),
                new BigDecimal("1e400"),
                true,
                null,
                "é"));
    assertThat(Json.readObject("{\"z\":1,\"a\":{}}").keySet()).containsExactly("z", "a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1,]", "1 2", "nul", "1e99999999999"})
  void whatIsNotJsonIsRefused(String text) {
    assertThatThrownBy(() -> Json.read(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anythingButAnObjectIsRefusedWhereAnObjectIsNeeded() {
    assertThatThrownBy(() -> Json.readObject("[]")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Json.elements("{}")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void endlessNestingIsRefusedBeforeTheStackEnds() {
    assertThatThrownBy(() -> Json.read("[".repeat(1_000_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsWrittenIsReadBack() {
    Map<String, Object> value =
        Map.of(
            "list", List.of(1L, "a\"\\\n\u0001\ud800😀", true), "number", new BigDecimal("0.10"));

    assertThat(Json.read(Json.write(value))).isEqualTo(value);
    assertThat(Json.write(Arrays.asList(1, 2.5, null, "x"))).isEqualTo("[1,2.5,null,\"x\"]");
    assertThat(Json.write(Map.of())).isEqualTo("{}");
    assertThat(Json.write(List.of())).isEqualTo("[]");
    assertThatThrownBy(() -> Json.write(Float.POSITIVE_INFINITY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void slicesAreTheTextOfTheValues() {
    assertThat(
            Json.fields("{\"a\":-1.50e+3,\"b\":[ ],\"c\":\"\\\"\",\"d\":{\"x\":null},\"e\":false}"))
        .containsExactly(
            Map.entry("a", "-1.50e+3"),
            Map.entry("b", "[ ]"),
            Map.entry("c", "\"\\\"\""),
            Map.entry("d", "{\"x\":null}"),
            Map.entry("e", "false"));
    assertThat(Json.elements("[1,[2],\"3\"]")).containsExactly("1", "[2]", "\"3\"");
    assertThat(Json.string("\"\\u0061b\"")).isEqualTo("ab");
    assertThat(Json.string("7")).isNull();
    assertThat(Json.string(null)).isNull();
  }

  @Test
  void lengthInUtf8IsCountedWithoutEncoding() {
    for (String text : List.of("", "a", "é", "日", "😀", "a😀é日\u0000\u07ff\u0800\uffff")) {
      assertThat(JsonText.utf8Length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @Test
  void whatContainsItselfIsNotWritten() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThatThrownBy(() -> Json.write(Map.of("list", list)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("contains itself");
  }
}
