package dev.clew.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Await;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.ManualClock;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Time in the in-memory store: expiry, sweeping, clocks that jump. */
class MemoryExpiryTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = MemoryStore.builder().clock(clock).build();
  private final StoredSession session = store.session("s");

  @AfterEach
  void close() {
    store.close();
  }

  private void add(StoredSession to) {
    to.addItems(List.of(Item.user("hello")));
  }

  private SessionInfo info() {
    return session.info().orElseThrow();
  }

  @Test
  void anExpiredSessionReadsAsAbsentEverywhere() {
    add(session);
    session.update(SessionUpdate.none().timeToLive(DAY));
    clock.advance(DAY.minusMillis(1));
    assertThat(session.info()).isPresent();
    clock.advance(Duration.ofMillis(1));

    assertThat(session.info()).isEmpty();
    assertThat(session.getItems()).isEmpty();
    assertThat(session.popItem()).isEmpty();
    assertThat(store.list(SessionQuery.of("")).sessions()).isEmpty();
    assertThat(store.search(SearchQuery.of("", "hello")).hits()).isEmpty();
    assertThat(store.owners(Optional.empty(), 10)).isEmpty();
    assertThat(store.session(session.key()).delete()).isFalse();
  }

  @Test
  void aWriteToAnExpiredSessionStartsItAnew() {
    add(session);
    session.update(SessionUpdate.none().title("old").timeToLive(DAY));
    long version = info().version();
    clock.advance(DAY);
    session.commit(Commit.append(List.of(Item.user("new"))).expectVersion(0));

    assertThat(session.getItems()).containsExactly(Item.user("new"));
    assertThat(info().title()).isEmpty();
    assertThat(info().timeToLive()).isEmpty();
    assertThat(info().version()).isGreaterThan(version);
    assertThat(info().createdAt()).isEqualTo(clock.instant());
  }

  @Test
  void everyChangeOfTheHistoryProlongsItsLifeAndADescriptionDoesNot() {
    add(session);
    session.update(SessionUpdate.none().timeToLive(DAY));
    clock.advance(DAY.dividedBy(2));
    add(session);
    clock.advance(DAY.dividedBy(2));
    session.update(SessionUpdate.none().title("t"));
    assertThat(session.info()).isPresent();
    clock.advance(DAY.dividedBy(2));

    assertThat(session.info()).isEmpty();
  }

  @Test
  void aSweepRemovesAtMostWhatItIsAllowedTo() {
    for (int i = 0; i < 5; i++) {
      StoredSession expiring = store.session("x" + i);
      add(expiring);
      expiring.update(SessionUpdate.none().timeToLive(DAY));
      store.documents().put("", "r" + i, "{}", OptionalLong.empty(), Optional.of(DAY));
    }
    add(session);
    assertThat(store.sweep(100)).isZero();
    clock.advance(DAY);

    // The background sweep may have been there first.
    int removed = store.sweep(3);
    assertThat(removed).isLessThanOrEqualTo(3);
    Await.until("all is swept", () -> store.sweep(3) == 0);
    assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(1);
    assertThat(store.documents().list("", "", Optional.empty(), 10)).isEmpty();
  }

  @Test
  void theBackgroundSweepRemovesWhatHasExpired() throws InterruptedException {
    CountDownLatch cleared = new CountDownLatch(1);
    try (MemoryStore expiring = MemoryStore.builder().clock(clock).timeToLive(DAY).build()) {
      StoredSession watched = expiring.session("s");
      add(watched);
      watched.watch(watched.info().orElseThrow().version(), event -> cleared.countDown());
      clock.advance(DAY);

      assertThat(cleared.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void sweepingLeavesLeasesThatAreHeld() {
    add(session);
    session.update(SessionUpdate.none().timeToLive(DAY));
    clock.advance(DAY);
    Leases.Grant held = store.leases().tryAcquire(session.key(), "turn", "me", DAY).orElseThrow();
    store.leases().tryAcquire(session.key(), "title", "me", Duration.ofMillis(1));
    clock.advance(Duration.ofMillis(2));
    Await.until("all is swept", () -> store.sweep(10) == 0);

    assertThat(store.leases().holder(session.key(), "turn")).contains(held);
    assertThat(store.leases().tryAcquire(session.key(), "title", "me", DAY).orElseThrow().fence())
        .isGreaterThan(held.fence() + 1);
  }

  @Test
  void aClockThatGoesBackDeletesNothingEarlyAndNoTimeGoesBack() {
    add(session);
    session.update(SessionUpdate.none().timeToLive(DAY));
    Instant before = info().updatedAt();
    clock.advance(DAY.negated());
    add(session);

    assertThat(info().updatedAt()).isEqualTo(before);
    assertThat(info().createdAt()).isBeforeOrEqualTo(before);
    assertThat(session.entries(Range.first(9)).entries())
        .extracting(entry -> entry.addedAt())
        .containsExactly(before, before);
    clock.advance(DAY.multipliedBy(2).minusMillis(1));
    assertThat(session.info()).isPresent();
  }

  @Test
  void timesHaveMillisecondPrecision() {
    clock.advance(Duration.ofNanos(1_999_999));
    add(session);

    assertThat(info().createdAt()).isEqualTo(clock.instant().truncatedTo(ChronoUnit.MILLIS));
  }

  @Test
  void operationIdsAreRememberedForADayAndForgottenByAClear() {
    Commit once = Commit.append(List.of(Item.user("x"))).operationId("op");
    session.commit(once);
    clock.advance(DAY);
    assertThat(session.commit(once).repeated()).isTrue();
    clock.advance(Duration.ofMillis(1));
    session.commit(Commit.append(List.of(Item.user("y"))).operationId("other"));
    assertThat(session.commit(once).repeated()).isFalse();
    session.clearSession();

    assertThat(session.commit(once).repeated()).isFalse();
    assertThat(session.getItems()).hasSize(1);
  }

  @Test
  void aTimeToLiveOfZeroIsTheStoresDefault() {
    try (MemoryStore expiring = MemoryStore.builder().clock(clock).timeToLive(DAY).build()) {
      StoredSession own = expiring.session("s");
      own.update(SessionUpdate.none().timeToLive(Duration.ofHours(1)));
      assertThat(own.info().orElseThrow().timeToLive()).contains(Duration.ofHours(1));
      own.update(SessionUpdate.none().timeToLive(Duration.ZERO));
      assertThat(own.info().orElseThrow().timeToLive()).contains(DAY);
    }
    session.update(SessionUpdate.none().timeToLive(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(session.info()).isPresent();
  }
}
