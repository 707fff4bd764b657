package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of the small value types. */
class ValuesTest {
  @ParameterizedTest
  @ValueSource(strings = {"C:\\udev\\udc00", "日本 😀", "", "<script>", "a\u202eb"})
  void titlesAreAnyText(String title) {
    assertThat(SessionUpdate.none().title(title).title()).contains(title);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\u0000", "a\ud800", "\udc00"})
  void titlesAndTagsHaveNoControlCharactersAndAreUnicode(String text) {
    assertThatThrownBy(() -> SessionUpdate.none().title(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("title");
    assertThatThrownBy(() -> SessionUpdate.none().tags(Set.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tag");
  }

  @Test
  void titlesAndTagsHaveALimit() {
    assertThat(SessionUpdate.none().title("x".repeat(1024)).title()).isPresent();
    assertThatThrownBy(() -> SessionUpdate.none().title("x".repeat(1025)))
        .hasMessageContaining("1025")
        .hasMessageContaining("1024");
    assertThatThrownBy(() -> SessionUpdate.none().tags(Set.of("x".repeat(129))))
        .hasMessageContaining("129");
    assertThatThrownBy(() -> SessionUpdate.none().tags(Set.of(""))).hasMessageContaining("empty");
  }

  @Test
  void tagsAndMetadataAreCopied() {
    Set<String> tags = new LinkedHashSet<>(List.of("b", "a"));
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("k", new ArrayList<>(List.of(1, "x")));
    metadata.put("nothing", null);
    SessionUpdate update = SessionUpdate.none().tags(tags).metadata(metadata);
    tags.add("c");
    metadata.clear();

    assertThat(update.tags().orElseThrow()).containsExactly("a", "b");
    assertThat(update.metadata().orElseThrow())
        .containsEntry("k", List.of(1L, "x"))
        .containsEntry("nothing", null);
    assertThatThrownBy(() -> update.metadata().orElseThrow().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> update.tags().orElseThrow().add("d"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aTimeToLiveIsZeroForTheDefaultOrAtLeastAMillisecond() {
    assertThat(SessionUpdate.none().timeToLive(Duration.ZERO).timeToLive()).contains(Duration.ZERO);
    for (Duration bad : List.of(Duration.ofMillis(-1), Duration.ofNanos(1))) {
      assertThatThrownBy(() -> SessionUpdate.none().timeToLive(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("millisecond");
    }
  }

  @Test
  void changesOfAnUpdateAddUp() {
    SessionUpdate update =
        SessionUpdate.none().title("t").archived(true).pinned(false).expectVersion(3);

    assertThat(update.title()).contains("t");
    assertThat(update.archived()).contains(true);
    assertThat(update.pinned()).contains(false);
    assertThat(update.expectedVersion()).isEqualTo(OptionalLong.of(3));
    assertThat(update.tags()).isEmpty();
  }

  @Test
  void limitsOfRequestsAreChecked() {
    assertThatThrownBy(() -> Range.latest(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SessionSettings.limit(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SessionQuery.of("").limit(0)).hasMessageContaining("1 to 1000");
    assertThatThrownBy(() -> SessionQuery.of("").limit(1001)).hasMessageContaining("1001");
    assertThatThrownBy(() -> SessionQuery.of("a\n")).hasMessageContaining("owner");
    assertThatThrownBy(() -> SearchQuery.of("", "x").limit(0)).hasMessageContaining("1 to 1000");
    assertThatThrownBy(() -> SearchQuery.of("", "x".repeat(1001))).hasMessageContaining("1001");
    assertThatThrownBy(() -> new ItemLimits(1, 200)).hasMessageContaining("maxBytes=1");
    assertThatThrownBy(() -> ItemLimits.DEFAULT.maxDepth(0)).hasMessageContaining("maxDepth=0");
  }

  @Test
  void onlyWhatMaySucceedLaterIsRetryable() {
    assertThat(new ClewException.SessionBusy("x").retryable()).isTrue();
    assertThat(new ClewException.OutcomeUnknown("x", null).retryable()).isTrue();
    assertThat(new ClewException.StoreUnavailable("x", null).retryable()).isTrue();
    assertThat(new ClewException.StoreUnavailable("x", null, false).retryable()).isFalse();
    assertThat(new ClewException.InvalidItem("x").retryable()).isFalse();
    assertThat(new ClewException.InvalidItem("x").index()).isEqualTo(-1);
    assertThat(new ClewException.VersionConflict("x").retryable()).isFalse();
    assertThat(new ClewException.Closed("x").retryable()).isFalse();
  }
}
