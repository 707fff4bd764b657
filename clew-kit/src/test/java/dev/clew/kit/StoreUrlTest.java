package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUrlTest {
  private static final Set<String> KNOWN = Set.of("limit", "ttl", "table", "sync");

  private static StoreUrl parse(String url) {
    return StoreUrl.parse(url, KNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "sqlite:conversations.db, conversations.db",
    "sqlite:./a/b.db, ./a/b.db",
    "sqlite::memory:, :memory:",
    "sqlite:C:\\x.db, C:\\x.db",
    "sqlite:, ''",
    "sqlite:?, ''",
    "sqlite:a%3Fb%25%20c?limit=1, a?b% c",
    "sqlite:%E4%BC%9A日😀.db, 会日😀.db",
    "sqlite:a+b, a+b",
  })
  void thePathIsWhatStandsBeforeTheQuestionMarkDecoded(String url, String path) {
    assertThat(parse(url).path()).isEqualTo(path);
    assertThat(parse(url).scheme()).isEqualTo("sqlite");
    assertThat(parse(url)).hasToString(url);
  }

  @Test
  void parametersAreTyped() {
    StoreUrl url = parse("x:p?limit=20&ttl=30d&table=a%26b%3Dc&sync=true");

    assertThat(url.integer("limit", 0, 100)).hasValue(20);
    assertThat(url.duration("ttl")).contains(Duration.ofDays(30));
    assertThat(url.text("table")).contains("a&b=c");
    assertThat(url.flag("sync")).contains(true);
    assertThat(parse("x:").integer("limit", 0, 1)).isEmpty();
    assertThat(parse("x:").duration("ttl")).isEmpty();
    assertThat(parse("x:").text("table")).isEmpty();
    assertThat(parse("x:").flag("sync")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"500ms,PT0.5S", "45s,PT45S", "15m,PT15M", "12h,PT12H", "30d,PT720H", "007s,PT7S"})
  void timesHaveAUnit(String text, Duration expected) {
    assertThat(parse("x:?ttl=" + text).duration("ttl")).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"30", "d", "0s", "-1s", "1.5h", "1 d", "1D", "1w", "999999999999999999d", "P1D"})
  void otherTimesAreRefusedWithExamples(String text) {
    assertThatThrownBy(() -> parse("x:?ttl=" + text).duration("ttl"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ttl must be a time such as 30d")
        .hasMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "1.0", "-1", "101", "99999999999999999999", "+1", "0x1", "１"})
  void otherNumbersAreRefusedWithTheirRange(String text) {
    assertThatThrownBy(() -> parse("x:?limit=" + text).integer("limit", 0, 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit must be a whole number from 0 to 100")
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void otherFlagsAreRefused() {
    assertThatThrownBy(() -> parse("x:?sync=yes").flag("sync"))
        .hasMessageContaining("true or false");
  }

  @ParameterizedTest
  @CsvSource({
    "x:?lmit=1, unknown parameter 'lmit'",
    "x:?Limit=1, unknown parameter 'Limit'",
    "x:?limit=1&, unknown parameter ''",
    "x:?limit, gives no value for 'limit'",
    "x:?limit=, gives no value for 'limit'",
    "x:?limit=1&limit=2, gives 'limit' twice",
    "x:100%, write a percent sign as %25",
    "x:a%2, begins no escape",
    "x:a%zzb, begins no escape",
    "x:%ff, not UTF-8",
    "x:%ED%A0%80, not UTF-8",
    "nothing, does not start with a scheme",
    ":x, does not start with a scheme",
  })
  void mistakesAreNamedTogetherWithTheUrl(String url, String expected) {
    assertThatThrownBy(() -> parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + url + "'")
        .hasMessageContaining(expected);
  }

  @Test
  void anUnknownParameterNamesTheKnownOnes() {
    assertThatThrownBy(() -> parse("x:?a=1")).hasMessageContaining("limit, sync, table, ttl");
    assertThatThrownBy(() -> StoreUrl.parse("x:?a=1", Set.of())).hasMessageContaining("none");
  }
}
