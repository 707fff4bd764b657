package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** C20: sessions that vanish some time after their last update. */
@Rule(
    "a session whose last update is longer ago than its time to live reads as absent at "
        + "once and is removed by sweep; use the clock of StoreOptions")
interface ExpiryRules extends StoreFixture {

  @Test
  default void withoutATimeToLive_nothingExpires() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    clock().advance(Duration.ofDays(100_000));
    store().sweep(1000);

    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    assertThat(session.info().orElseThrow().timeToLive()).isEmpty();
  }

  @Test
  default void aSession_expiresWhenItsTimeSinceTheLastUpdateIsOver() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    clock().advance(Duration.ofHours(1).minusSeconds(1));
    assertThat(session.getItems()).isEqualTo(Items.of("one"));

    clock().advance(Duration.ofSeconds(2));
    assertExpired(session);
  }

  @Test
  default void addingItems_startsTheTimeAnew() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    clock().advance(Duration.ofMinutes(50));
    session.addItems(Items.of("two"));
    clock().advance(Duration.ofMinutes(50));

    assertThat(session.getItems()).hasSize(2);
    clock().advance(Duration.ofMinutes(11));
    assertExpired(session);
  }

  @Test
  default void readingASession_doesNotProlongItsLife() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    clock().advance(Duration.ofMinutes(50));
    session.getItems();
    session.info();
    clock().advance(Duration.ofMinutes(11));

    assertExpired(session);
  }

  @Test
  default void aTimeToLiveOfItsOwn_overridesThatOfTheStore() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession shorter = newSession();
    StoredSession longer = newSession();
    for (StoredSession session : List.of(shorter, longer)) {
      session.addItems(Items.of("one"));
    }
    shorter.update(SessionUpdate.none().timeToLive(Duration.ofMinutes(10)));
    longer.update(SessionUpdate.none().timeToLive(Duration.ofHours(5)));
    assertThat(longer.info().orElseThrow().timeToLive()).contains(Duration.ofHours(5));

    clock().advance(Duration.ofMinutes(11));
    assertExpired(shorter);
    clock().advance(Duration.ofHours(4));
    assertThat(longer.getItems()).hasSize(1);
    clock().advance(Duration.ofHours(1));
    assertExpired(longer);
  }

  @Test
  default void aTimeToLiveOfZero_meansThatOfTheStore() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    session.update(SessionUpdate.none().timeToLive(Duration.ofHours(5)));
    session.update(SessionUpdate.none().timeToLive(Duration.ZERO));

    assertThat(session.info().orElseThrow().timeToLive()).contains(Duration.ofHours(1));
    clock().advance(Duration.ofMinutes(61));
    assertExpired(session);
  }

  @Test
  default void writingToAnExpiredSession_startsItAnew() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("old"));
    session.update(SessionUpdate.none().title("old title"));
    clock().advance(Duration.ofHours(2));
    session.addItems(Items.of("new"));

    SessionInfo info = session.info().orElseThrow();
    assertThat(session.getItems()).isEqualTo(Items.of("new"));
    assertThat(info.title()).isEmpty();
    assertThat(info.itemCount()).isEqualTo(1);
    assertThat(info.createdAt()).isEqualTo(clock().instant());
  }

  @Test
  default void anExpiredSession_isAbsentToEveryCondition() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("old"));
    long version = session.info().orElseThrow().version();
    long position = Items.position(session, 0);
    clock().advance(Duration.ofHours(2));

    assertThat(session.popItem()).isEmpty();
    assertThatThrownBy(() -> session.commit(Commit.append(Items.of("late")).expectVersion(version)))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThatThrownBy(() -> session.fork("fork", position))
        .isInstanceOf(ClewException.VersionConflict.class);
    session.commit(Commit.append(Items.of("anew")).expectVersion(0));
    assertThat(session.getItems()).isEqualTo(Items.of("anew"));
  }

  @Test
  default void anExpiredSession_makesRoomForAFork() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession expired = newSession();
    expired.addItems(Items.of("old"));
    clock().advance(Duration.ofHours(2));
    StoredSession source = newSession();
    source.addItems(Items.of("a"));
    store().session(source.key()).forkTo(expired.key(), Items.position(source, 0));

    assertThat(expired.getItems()).isEqualTo(Items.of("a"));
  }

  @Test
  default void aClockThatJumpsBack_expiresNothingEarly() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    Instant written = clock().instant();
    clock().advance(Duration.ofDays(-1));
    store().sweep(1000);
    assertThat(session.getItems()).hasSize(1);

    clock().set(written.plus(Duration.ofMinutes(59)));
    store().sweep(1000);
    assertThat(session.getItems()).hasSize(1);
  }

  @Test
  default void whatIsWrittenWhileTheClockIsBehind_doesNotExpireEarly() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    Instant written = clock().instant();
    clock().advance(Duration.ofDays(-1));
    session.addItems(Items.of("two"));
    clock().set(written.plus(Duration.ofMinutes(1)));
    store().sweep(1000);

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void sweep_removesWhatHasExpiredAndNothingElse() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession expired = newSession();
    expired.addItems(Items.of("old"));
    Instant written = clock().instant();
    clock().advance(Duration.ofMinutes(61));
    StoredSession alive = newSession();
    alive.addItems(Items.of("new"));
    store().sweep(1000);
    clock().set(written);

    assertThat(expired.info()).as("still gone when the clock goes back").isEmpty();
    assertThat(alive.getItems()).isEqualTo(Items.of("new"));
  }

  @Test
  default void sweep_removesExpiredRecordsToo() {
    Instant written = clock().instant();
    store()
        .documents()
        .put("ann", "r", "{}", OptionalLong.empty(), Optional.of(Duration.ofHours(1)));
    clock().advance(Duration.ofHours(2));
    store().sweep(1000);
    clock().set(written);

    assertThat(store().documents().get("ann", "r")).isEmpty();
  }

  @Test
  default void sweep_removesAtMostAsManyAsItIsTold() {
    openWith(options().with(Duration.ofHours(1)));
    for (int i = 0; i < 10; i++) {
      newSession().addItems(Items.of("old"));
    }
    clock().advance(Duration.ofHours(2));

    assertThat(store().sweep(3)).isLessThanOrEqualTo(3);
    assertThat(store().sweep(4)).isLessThanOrEqualTo(4);
    assertThat(store().sweep(100)).isLessThanOrEqualTo(10);
    assertThat(store().sweep(100)).isZero();
  }

  private void assertExpired(StoredSession session) {
    SessionKey key = session.key();
    assertThat(session.getItems()).isEmpty();
    assertThat(session.getItems(5)).isEmpty();
    assertThat(Items.entries(session)).isEmpty();
    assertThat(session.info()).isEmpty();
    assertThat(session.find("any")).isEmpty();
    assertThat(store().list(SessionQuery.of(key.owner())).sessions())
        .extracting(SessionInfo::key)
        .doesNotContain(key);
  }
}
