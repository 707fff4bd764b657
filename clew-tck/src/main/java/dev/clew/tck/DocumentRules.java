package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** C24: the documents beside the sessions. */
@Rule(
    "records are documents by owner and name, with a version that grows, "
        + "compare-and-set, expiry, and lists by prefix in the order of code points (see "
        + "Documents)")
interface DocumentRules extends StoreFixture {

  @Test
  default void aRecordThatDoesNotExist_isNothing() {
    assertThat(documents().get("ann", "missing")).isEmpty();
    assertThat(documents().delete("ann", "missing")).isFalse();
    assertThat(documents().list("ann", "", Optional.empty(), 10)).isEmpty();
  }

  @Test
  default void aRecord_comesBackAsItWasPut() {
    String json = "{\"b\":0.10,\"a\":[1e400,\"中 \\u4e2d 😀\"],\"c\":null}";
    Document put = put("ann", "state/1", json);

    assertThat(put.owner()).isEqualTo("ann");
    assertThat(put.name()).isEqualTo("state/1");
    assertThat(put.json()).isEqualTo(json);
    assertThat(put.version()).isPositive();
    assertThat(put.expiresAt()).isEmpty();
    assertThat(documents().get("ann", "state/1")).contains(put);
  }

  @Test
  default void aSecondPut_replacesTheFirst() {
    Document first = put("ann", "r", "{\"n\":1}");
    Document second = put("ann", "r", "{\"n\":2}");

    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(documents().get("ann", "r")).contains(second);
    assertThat(documents().list("ann", "", Optional.empty(), 10)).containsExactly(second);
  }

  @Test
  default void put_withTheVersionSeen_replacesOnlyThatVersion() {
    Document first = put("ann", "r", "{\"n\":1}");
    Document second = put("ann", "r", "{\"n\":2}", first.version());

    assertThatThrownBy(() -> put("ann", "r", "{\"n\":3}", first.version()))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(documents().get("ann", "r")).contains(second);
  }

  @Test
  default void put_withVersionZero_isForARecordThatDoesNotExist() {
    Document first = put("ann", "r", "{\"n\":1}", 0);

    assertThatThrownBy(() -> put("ann", "r", "{\"n\":2}", 0))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThatThrownBy(() -> put("ann", "other", "{}", 5))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(documents().get("ann", "r")).contains(first);
    assertThat(documents().get("ann", "other")).isEmpty();
  }

  @Test
  default void delete_removesTheRecordAndSaysSo() {
    put("ann", "r", "{}");
    assertThat(documents().delete("ann", "r")).isTrue();

    assertThat(documents().get("ann", "r")).isEmpty();
    assertThat(documents().delete("ann", "r")).isFalse();
    assertThat(put("ann", "r", "{\"anew\":true}", 0).json()).isEqualTo("{\"anew\":true}");
  }

  @Test
  default void names_areUniqueWithinTheOwner() {
    put("ann", "r", "{\"of\":\"ann\"}");
    put("bob", "r", "{\"of\":\"bob\"}");
    put("", "r", "{\"of\":\"nobody\"}");
    documents().delete("bob", "r");

    assertThat(documents().get("ann", "r").map(Document::json)).contains("{\"of\":\"ann\"}");
    assertThat(documents().get("", "r").map(Document::json)).contains("{\"of\":\"nobody\"}");
  }

  @Test
  default void list_isByName() {
    for (String name : List.of("c", "a", "d", "b")) {
      put("ann", name, "{}");
    }

    assertThat(names("ann", "", Optional.empty(), 10)).containsExactly("a", "b", "c", "d");
  }

  @Test
  default void list_takesThePrefixLiterally() {
    for (String name : List.of("token:1", "token:2", "tokens", "TOKEN:3", "to%", "t_", "to")) {
      put("ann", name, "{}");
    }

    assertThat(names("ann", "token:", Optional.empty(), 10)).containsExactly("token:1", "token:2");
    assertThat(names("ann", "to%", Optional.empty(), 10)).containsExactly("to%");
    assertThat(names("ann", "t_", Optional.empty(), 10)).containsExactly("t_");
    assertThat(names("ann", "tokens!", Optional.empty(), 10)).isEmpty();
  }

  @Test
  default void list_isPagedByName() {
    for (String name : List.of("p1", "p2", "p3", "p4", "q1")) {
      put("ann", name, "{}");
    }

    assertThat(names("ann", "p", Optional.empty(), 2)).containsExactly("p1", "p2");
    assertThat(names("ann", "p", Optional.of("p2"), 2)).containsExactly("p3", "p4");
    assertThat(names("ann", "p", Optional.of("p4"), 2)).isEmpty();
    documents().delete("ann", "p2");
    assertThat(names("ann", "p", Optional.of("p2"), 2)).containsExactly("p3", "p4");
  }

  @Test
  default void namesWithStrangeCharacters_areKeptApart() {
    List<String> names = List.of("a", "A", "a ", "é", "e\u0301", "😀", "a'b", "a\"b", "..", "a/b");
    for (String name : names) {
      put("ann", name, "\"" + names.indexOf(name) + "\"");
    }

    for (String name : names) {
      assertThat(documents().get("ann", name).map(Document::json))
          .as(name)
          .contains("\"" + names.indexOf(name) + "\"");
    }
  }

  @Test
  default void aRecordWithATimeToLive_vanishesWhenItIsOver() {
    Duration hour = Duration.ofHours(1);
    Document put = documents().put("ann", "r", "{}", OptionalLong.empty(), Optional.of(hour));
    assertThat(put.expiresAt()).contains(clock().instant().plus(hour));
    clock().advance(hour.minusSeconds(1));
    assertThat(documents().get("ann", "r")).contains(put);

    clock().advance(Duration.ofSeconds(2));
    assertThat(documents().get("ann", "r")).isEmpty();
    assertThat(documents().list("ann", "", Optional.empty(), 10)).isEmpty();
    assertThat(documents().delete("ann", "r")).isFalse();
    assertThat(put("ann", "r", "{\"anew\":true}", 0).expiresAt()).isEmpty();
  }

  @Test
  default void aRecord_doesNotVanishEarlyWhenTheClockJumpsBack() {
    documents().put("ann", "r", "{}", OptionalLong.empty(), Optional.of(Duration.ofHours(1)));
    clock().advance(Duration.ofDays(-1));
    store().sweep(100);
    assertThat(documents().get("ann", "r")).isPresent();

    clock().advance(Duration.ofDays(1).plusMinutes(59));
    store().sweep(100);
    assertThat(documents().get("ann", "r")).isPresent();
  }

  @Test
  default void anotherPut_setsTheTimeToLiveAnew() {
    documents()
        .put("ann", "r", "{\"n\":1}", OptionalLong.empty(), Optional.of(Duration.ofHours(1)));
    put("ann", "r", "{\"n\":2}");
    clock().advance(Duration.ofDays(1));

    assertThat(documents().get("ann", "r").map(Document::json)).contains("{\"n\":2}");
  }

  @Test
  @Rule("put refuses a time to live of less than a millisecond, and writes nothing")
  default void aTimeToLiveOfNothing_isRefused() {
    for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofDays(-1))) {
      assertThatThrownBy(() -> put("ann", "r", "{}", none))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(documents().get("ann", "r")).isEmpty();
  }

  @Test
  @Rule("a time to live may be as long as a Duration can be, and is then as good as for ever")
  default void aVeryLongTimeToLive_doesNotOverflow() {
    put("ann", "long", "{}", Duration.ofMillis(Long.MAX_VALUE));
    put("ann", "longer", "{}", Duration.ofSeconds(Long.MAX_VALUE));
    clock().advance(Duration.ofDays(10_000));

    assertThat(names("ann", "", Optional.empty(), 10)).containsExactly("long", "longer");
    assertThat(documents().get("ann", "longer").flatMap(Document::expiresAt).orElseThrow())
        .isAfter(clock().instant());
  }

  @Test
  @Rule(
      "a document has a name of 1 to 512 characters without control characters, and a text "
          + "that is JSON; pages have 1 to 1,000 documents")
  default void whatIsNoDocument_isRefused() {
    for (String name : List.of("", "n".repeat(513), "a\nb", "\ud800")) {
      assertThatThrownBy(() -> put("ann", name, "{}")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> documents().get("ann", name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> documents().delete("ann", name))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (String json : List.of("", "{", "{} {}", "NaN")) {
      assertThatThrownBy(() -> put("ann", "r", json)).isInstanceOf(IllegalArgumentException.class);
    }
    for (int limit : List.of(-1, 0, 1001)) {
      assertThatThrownBy(() -> documents().list("ann", "", Optional.empty(), limit))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(documents().list("ann", "", Optional.empty(), 1000)).isEmpty();
  }

  private Document put(String owner, String name, String json, Duration timeToLive) {
    return documents().put(owner, name, json, OptionalLong.empty(), Optional.of(timeToLive));
  }

  @Test
  default void ofManyWhoPutTheSameVersionAtOnce_oneSucceeds() {
    Document seen = put("ann", "r", "0");
    List<Boolean> won =
        Crowd.of(
            8,
            thread -> {
              try {
                put("ann", "r", "1" + thread, seen.version());
                return true;
              } catch (ClewException.VersionConflict e) {
                return false;
              }
            });

    assertThat(won).containsOnlyOnce(true);
    assertThat(documents().get("ann", "r").map(Document::json)).contains("1" + won.indexOf(true));
  }

  private Documents documents() {
    return store().documents();
  }

  private Document put(String owner, String name, String json) {
    return documents().put(owner, name, json);
  }

  private Document put(String owner, String name, String json, long expected) {
    return documents().put(owner, name, json, OptionalLong.of(expected), Optional.empty());
  }

  private List<String> names(String owner, String prefix, Optional<String> after, int limit) {
    return documents().list(owner, prefix, after, limit).stream().map(Document::name).toList();
  }
}
