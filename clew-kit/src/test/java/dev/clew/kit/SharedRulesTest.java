package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.SessionQuery.Order;
import dev.clew.ToolCallPairing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that all stores share: order, cursors, expiry, names, pairs, searchable text. */
class SharedRulesTest {
  private static final Instant EARLY = Instant.ofEpochMilli(1000);
  private static final Instant LATE = Instant.ofEpochMilli(2000);

  @Test
  void namesAreOrderedAsTheirUtf8BytesAre() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "", "a", "aa", "ab", "b", "Z", "é", "\uffff", "\ue000", "😀", "😁", "\ud7ff", "a😀",
                "a\uffff"));
    List<String> byBytes = new ArrayList<>(names);
    byBytes.sort(
        (a, b) ->
            Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    names.sort(TextOrder.BY_CODE_POINT);

    assertThat(names).isEqualTo(byBytes);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void aCursorComesBackFromItsText(Order order) {
    SessionCursor cursor = SessionCursor.of(order, EARLY, LATE, "Ünï 😀 \"t\"", "id: 日本/../%");

    assertThat(SessionCursor.decode(order, cursor.encode())).isEqualTo(cursor);
    assertThat(cursor.encode()).matches("[A-Za-z0-9_-]+");
  }

  @Test
  void cursorsOrderNewestFirstOrByTitleThenById() {
    SessionCursor late = SessionCursor.of(Order.UPDATED, EARLY, LATE, "", "z");
    SessionCursor early = SessionCursor.of(Order.UPDATED, EARLY, EARLY, "", "a");
    SessionCursor untitled = SessionCursor.of(Order.TITLE, LATE, LATE, "", "z");
    SessionCursor alpha = SessionCursor.of(Order.TITLE, LATE, LATE, "ALPHA", "b");
    SessionCursor alphaToo = SessionCursor.of(Order.TITLE, EARLY, LATE, "alpha", "c");

    assertThat(late).isLessThan(early);
    assertThat(untitled).isLessThan(alpha);
    assertThat(alpha).isLessThan(alphaToo);
    assertThat(SessionCursor.of(Order.CREATED, LATE, LATE, "", "a"))
        .isLessThan(SessionCursor.of(Order.CREATED, LATE, LATE, "", "b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "!!!", "====", "VTEyMwo", "VXgKCmE", "_w"})
  void aTextThatIsNoCursorIsRefused(String text) {
    assertThatThrownBy(() -> SessionCursor.decode(Order.UPDATED, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SessionPage.next()");
  }

  @Test
  void aCursorOfAnotherOrderIsRefused() {
    String cursor = SessionCursor.of(Order.CREATED, EARLY, EARLY, "", "a").encode();

    assertThatThrownBy(() -> SessionCursor.decode(Order.UPDATED, cursor))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8))
        .startsWith("C1000");
  }

  @Test
  void veryLongLivesDoNotOverflow() {
    Instant longAfter = Instant.parse("+30000-01-01T00:00:00Z");

    assertThat(TimeToLive.end(LATE, Duration.ofMillis(5))).isEqualTo(Instant.ofEpochMilli(2005));
    assertThat(TimeToLive.end(LATE, Duration.ofSeconds(Long.MAX_VALUE))).isAfter(longAfter);
    assertThat(TimeToLive.end(LATE, Duration.ofMillis(Long.MAX_VALUE))).isAfter(longAfter);
    assertThatThrownBy(() -> TimeToLive.check("it", Duration.ZERO))
        .hasMessageContaining("it lives");
    assertThatThrownBy(() -> TimeToLive.check("it", Duration.ofDays(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nb", "a\u0000", "\ud800"})
  void badNamesOfRecordsAreRefused(String name) {
    assertThatThrownBy(() -> DocumentRules.checkName("", name))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void recordsAreAnyJsonValue() {
    for (String good :
        List.of("{}", " [1, \"x\"] ", "\"text\"", "7", "null", "true", "[\"a\",[\"type\"]]")) {
      assertThatCode(() -> DocumentRules.checkJson("r", good)).doesNotThrowAnyException();
    }
    for (String bad :
        List.of(
            "",
            " ",
            "{",
            "x",
            "{} {}",
            "1 2",
            "NaN",
            "{\"a\":1,\"a\":2}",
            "[".repeat(100_000),
            "1".repeat(1001))) {
      assertThatThrownBy(() -> DocumentRules.checkJson("r", bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("document 'r' is not valid JSON");
    }
  }

  private static List<Long> unpaired(Item... items) {
    ToolCallPairing pairing = new ToolCallPairing();
    for (int i = 0; i < items.length; i++) {
      pairing.add(i, items[i]);
    }
    return pairing.unpaired().stream().map(ToolCallPairing.Unpaired::position).toList();
  }

  @Test
  void callsAndOutputsPairInOrder() {
    Item call = Item.functionCall("1", "f", "{}");
    Item output = Item.functionCallOutput("1", "x");
    Item call2 = Item.functionCall("2", "f", "{}");
    Item output2 = Item.functionCallOutput("2", "x");
    Item message = Item.user("x");

    assertThat(unpaired(message, call, call2, output2, message, output)).isEmpty();
    assertThat(unpaired(call, message)).containsExactly(0L);
    assertThat(unpaired(output, call)).containsExactly(0L, 1L);
    assertThat(unpaired(call, output, output)).containsExactly(2L);
    assertThat(unpaired(call, call, output)).containsExactly(0L);
    assertThat(unpaired(call, output, call, output)).isEmpty();
    assertThat(unpaired(call, output2)).containsExactly(0L, 1L);
  }

  @Test
  void onlyCallsThatTheCallerAnswersNeedAnOutput() {
    assertThat(unpaired(Item.parse("{\"type\":\"web_search_call\",\"id\":\"w\"}"))).isEmpty();
    assertThat(unpaired(Item.parse("{\"type\":\"computer_call\",\"call_id\":\"1\"}")))
        .containsExactly(0L);
    assertThat(
            unpaired(
                Item.parse("{\"type\":\"local_shell_call\",\"call_id\":\"1\"}"),
                Item.parse("{\"type\":\"local_shell_call_output\",\"id\":\"1\"}")))
        .isEmpty();
    assertThat(
            unpaired(
                Item.parse("{\"type\":\"computer_call\",\"call_id\":\"1\"}"),
                Item.functionCallOutput("1", "x")))
        .containsExactly(0L, 1L);
    assertThat(unpaired(Item.parse("{\"type\":\"function_call\"}"))).isEmpty();
  }

  @Test
  void aFindingSaysWhichSideIsMissing() {
    ToolCallPairing pairing = new ToolCallPairing();
    pairing.add(1, Item.functionCall("secret", "secret", "{}"));
    pairing.add(2, Item.functionCallOutput("other", "secret"));

    assertThat(pairing.unpaired().get(0).describe())
        .startsWith("function_call without an output")
        .doesNotContain("secret");
    assertThat(pairing.unpaired().get(1).describe())
        .startsWith("function_call_output without the call");
  }

  @Test
  void searchableTextIsWhatPeopleAndToolsSaid() {
    assertThat(SearchText.of(Item.user("hello"))).isEqualTo("hello");
    assertThat(
            SearchText.of(
                Item.parse(
                    "{\"role\":\"assistant\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"no\"}]}")))
        .isEqualTo("no");
    assertThat(SearchText.of(Item.functionCall("id", "get_weather", "{\"city\":\"Oslo\"}")))
        .isEqualTo("get_weather {\"city\":\"Oslo\"}");
    assertThat(SearchText.of(Item.functionCallOutput("id", "rain"))).isEqualTo("rain");
    assertThat(
            SearchText.of(
                Item.parse(
                    "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"hidden\"}]}")))
        .isEmpty();
    assertThat(SearchText.of(Item.parse("{\"type\":\"x\",\"text\":\"hidden\"}"))).isEmpty();
  }
}
