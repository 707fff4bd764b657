package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** C17: what is known of a session beside its items. */
@Rule(
    "update changes what it names and leaves the rest; it changes the version and not "
        + "updatedAt (see SessionUpdate, SessionInfo)")
interface MetadataRules extends StoreFixture {

  @Test
  default void update_changesWhatItNamesAndNothingElse() {
    StoredSession session = newSession();
    session.update(
        SessionUpdate.none()
            .title("first title")
            .metadata(Map.of("k", "v"))
            .tags(Set.of("t1", "t2"))
            .archived(true)
            .pinned(true));
    SessionInfo info = session.update(SessionUpdate.none().title("second title"));

    assertThat(info.title()).isEqualTo("second title");
    assertThat(info.metadata()).isEqualTo(Map.of("k", "v"));
    assertThat(info.tags()).isEqualTo(Set.of("t1", "t2"));
    assertThat(info.archived()).isTrue();
    assertThat(info.pinned()).isTrue();
    assertThat(session.info()).contains(info);
  }

  @Test
  default void update_replacesMetadataAndTagsAsAWhole() {
    StoredSession session = newSession();
    session.update(SessionUpdate.none().metadata(Map.of("a", 1)).tags(Set.of("x", "y")));
    session.update(SessionUpdate.none().metadata(Map.of("b", 2)).tags(Set.of("z")));

    SessionInfo info = session.info().orElseThrow();
    assertThat(info.metadata()).containsOnlyKeys("b");
    assertThat(info.tags()).isEqualTo(Set.of("z"));
  }

  @Test
  default void update_canTakeEverythingBack() {
    StoredSession session = newSession();
    session.update(
        SessionUpdate.none()
            .title("a title")
            .metadata(Map.of("a", 1))
            .tags(Set.of("x"))
            .archived(true)
            .pinned(true)
            .timeToLive(Duration.ofHours(1)));
    SessionInfo info =
        session.update(
            SessionUpdate.none()
                .title("")
                .metadata(Map.of())
                .tags(Set.of())
                .archived(false)
                .pinned(false)
                .timeToLive(Duration.ZERO));

    assertThat(info.title()).isEmpty();
    assertThat(info.metadata()).isEmpty();
    assertThat(info.tags()).isEmpty();
    assertThat(info.archived()).isFalse();
    assertThat(info.pinned()).isFalse();
    assertThat(info.timeToLive()).isEmpty();
  }

  @Test
  default void metadata_keepsEveryKindOfJsonValue() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("text", "quote \" and 中文 and 😀");
    values.put("number", 12345678901L);
    values.put("fraction", 0.25);
    values.put("flag", true);
    values.put("nothing", null);
    values.put("list", Arrays.asList(1, "two", null, List.of()));
    values.put("nested", Map.of("deep", Map.of("deeper", List.of(false))));
    values.put("", "empty key");
    SessionUpdate update = SessionUpdate.none().metadata(values);
    StoredSession session = newSession();
    session.update(update);

    assertThat(session.info().orElseThrow().metadata()).isEqualTo(update.metadata().orElseThrow());
  }

  @Test
  default void titlesAndTags_mayHoldAnyText() {
    for (String text : List.of("100% _sure_", "O'Brien \"x\"", "日本語 😀", "a,b;c|d", " spaced ")) {
      StoredSession session = newSession();
      session.update(SessionUpdate.none().title(text).tags(Set.of(text)));

      SessionInfo info = session.info().orElseThrow();
      assertThat(info.title()).isEqualTo(text);
      assertThat(info.tags()).isEqualTo(Set.of(text));
    }
  }

  @Test
  default void updatedAt_movesWithTheHistory() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    Instant created = clock().instant();
    clock().advance(Duration.ofMinutes(1));
    session.addItems(Items.of("two"));
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(clock().instant());

    clock().advance(Duration.ofMinutes(1));
    session.popItem();
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(clock().instant());
    assertThat(session.info().orElseThrow().createdAt()).isEqualTo(created);
  }

  @Test
  default void updatedAt_doesNotMoveWithTheDescription() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    Instant written = clock().instant();
    clock().advance(Duration.ofMinutes(1));
    session.update(SessionUpdate.none().title("renamed").pinned(true).tags(Set.of("t")));

    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(written);
  }

  @Test
  default void theDescription_staysWhenItemsComeAndGo() {
    StoredSession session = newSession();
    session.update(SessionUpdate.none().title("kept").tags(Set.of("t")));
    session.addItems(Items.of("one", "two"));
    session.popItem();

    SessionInfo info = session.info().orElseThrow();
    assertThat(info.title()).isEqualTo("kept");
    assertThat(info.tags()).isEqualTo(Set.of("t"));
  }

  @Test
  default void itemCount_followsEveryChange() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(3);
    session.addItems(Items.numbered("more", 7));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(10);
    session.popItem();
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(9);
  }

  @Test
  default void bytes_areAboutTheSizeOfTheItems() {
    StoredSession session = newSession();
    session.addItems(Items.of("small"));
    long small = session.info().orElseThrow().bytes();
    session.addItems(List.of(Items.ofSize(100_000)));
    long large = session.info().orElseThrow().bytes();
    session.popItem();

    assertThat(large - small).isBetween(50_000L, 400_000L);
    assertThat(session.info().orElseThrow().bytes()).isBetween(0L, 50_000L);
  }

  @Test
  default void update_withTheVersionSeen_isRefusedIfTheSessionHasChanged() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    long seen = session.info().orElseThrow().version();
    session.addItems(Items.of("two"));
    SessionUpdate late = SessionUpdate.none().title("late");

    assertThatThrownBy(() -> session.update(late.expectVersion(seen)))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(session.info().orElseThrow().title()).isEmpty();

    session.update(late.expectVersion(session.info().orElseThrow().version()));
    assertThat(session.info().orElseThrow().title()).isEqualTo("late");
  }

  @Test
  default void update_withVersionZero_isForASessionThatDoesNotExist() {
    StoredSession session = newSession();
    SessionUpdate create = SessionUpdate.none().title("mine").expectVersion(0);
    session.update(create);

    assertThatThrownBy(() -> session.update(create))
        .isInstanceOf(ClewException.VersionConflict.class);
    StoredSession absent = newSession();
    assertThatThrownBy(() -> absent.update(SessionUpdate.none().title("x").expectVersion(3)))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(absent.info()).isEmpty();
  }
}
