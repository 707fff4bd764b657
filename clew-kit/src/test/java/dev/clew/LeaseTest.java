package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(60);

  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = MemoryStore.builder().clock(clock).build();
  private final StoredSession session = store.session("s");

  @AfterEach
  void close() {
    store.close();
  }

  private Leases.Grant grant() {
    return store.leases().holder(session.key(), "turn").orElseThrow();
  }

  @Test
  void aHeldLeaseIsRenewedByItsHeartbeatUntilItIsClosed() {
    try (Lease lease = session.lease("turn", SHORT, Duration.ZERO)) {
      for (int i = 0; i < 5; i++) {
        clock.advance(Duration.ofMillis(50));
        Await.until(
            "the heartbeat renewed the lease",
            () -> grant().expiresAt().equals(clock.instant().plus(SHORT)));
      }
      assertThat(lease.isHeld()).isTrue();
      assertThat(lease.fence().number()).isEqualTo(grant().fence());
    }
    assertThat(store.leases().holder(session.key(), "turn")).isEmpty();
  }

  @Test
  void aSecondHolderWaitsUntilTheFirstOneCloses() {
    Lease first = session.lease("turn", LONG, Duration.ZERO);
    CountDownLatch asked = new CountDownLatch(3);
    Leases counting = new CountingLeases(store.leases(), asked);
    CompletableFuture<Lease> second =
        CompletableFuture.supplyAsync(
            () -> Lease.acquire(counting, session.key(), "turn", LONG, Duration.ofMinutes(1)));
    Await.until("the second has asked several times", () -> asked.getCount() == 0);
    assertThat(second).isNotDone();
    first.close();

    try (Lease taken = second.join()) {
      assertThat(taken.fence().number()).isGreaterThan(first.fence().number());
    }
  }

  @Test
  void whoWaitsInVainIsToldWhoHoldsIt() {
    try (Lease held = session.lease("turn", LONG, Duration.ZERO)) {
      assertThat(held.isHeld()).isTrue();
      assertThatThrownBy(() -> session.lease("turn", LONG, Duration.ofMillis(5)))
          .isInstanceOf(ClewException.SessionBusy.class)
          .hasMessageContaining("'s'")
          .hasMessageContaining("'turn'")
          .hasMessageContaining(grant().holder())
          .hasMessageContaining(grant().expiresAt().toString());
    }
  }

  @Test
  void anInterruptedThreadStopsWaiting() throws InterruptedException {
    try (Lease held = session.lease("turn", LONG, Duration.ZERO)) {
      assertThat(held.isHeld()).isTrue();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread waiting =
          new Thread(
              () -> {
                try {
                  session.lease("turn", LONG, Duration.ofDays(1_000_000)).close();
                } catch (ClewException.SessionBusy e) {
                  thrown.set(e);
                }
              });
      waiting.start();
      waiting.interrupt();
      waiting.join(20_000);

      assertThat(thrown.get()).hasMessageContaining("interrupted");
    }
  }

  @Test
  @SuppressWarnings("try") // closing it late is part of what is tested
  void aLeaseThatWasLostIsNoLongerHeldAndItsWritesAreRefused() {
    Lease slow = session.lease("turn", Duration.ofMillis(30), Duration.ZERO);
    // As if the process had been stopped: the lease runs out and another takes it in one go.
    Leases.Grant stolen = steal();
    Await.until("the heartbeat noticed", () -> !slow.isHeld());

    assertThatThrownBy(
            () -> session.commit(Commit.append(List.of(Item.user("late"))).fence(slow.fence())))
        .isInstanceOf(ClewException.SessionBusy.class)
        .hasMessageContaining(String.valueOf(slow.fence().number()))
        .hasMessageContaining(String.valueOf(stolen.fence()));
    session.commit(
        Commit.append(List.of(Item.user("in time")))
            .fence(new Commit.Fence("turn", stolen.fence())));
    slow.close();
    assertThat(grant()).isEqualTo(stolen);
  }

  private Leases.Grant steal() {
    AtomicReference<Leases.Grant> stolen = new AtomicReference<>();
    Await.until(
        "the lease was taken over",
        () -> {
          clock.advance(Duration.ofMinutes(1));
          store.leases().tryAcquire(session.key(), "turn", "thief", LONG).ifPresent(stolen::set);
          return stolen.get() != null;
        });
    return stolen.get();
  }

  @Test
  void heartbeatsOutliveAFailureOfTheStore() {
    AtomicInteger failures = new AtomicInteger(3);
    AtomicInteger renewals = new AtomicInteger();
    Leases flaky =
        new CountingLeases(store.leases(), new CountDownLatch(0)) {
          @Override
          public Optional<Grant> renew(Grant grant, Duration timeToLive) {
            if (failures.getAndDecrement() > 0) {
              throw new ClewException.StoreUnavailable("not now", null);
            }
            renewals.incrementAndGet();
            return super.renew(grant, timeToLive);
          }
        };
    try (Lease lease = Lease.acquire(flaky, session.key(), "turn", SHORT, Duration.ZERO)) {
      Await.until("it was renewed after the failures", () -> renewals.get() > 1);
      assertThat(lease.isHeld()).isTrue();
    }
  }

  @Test
  void closingTwiceReleasesOnce() {
    Lease lease = session.lease("turn", LONG, Duration.ZERO);
    lease.close();
    Lease other = session.lease("turn", LONG, Duration.ZERO);
    lease.close();

    assertThat(other.isHeld()).isTrue();
    assertThat(store.leases().holder(session.key(), "turn")).isPresent();
    other.close();
  }

  @Test
  void leasesOfOtherNamesAndSessionsAreIndependent() {
    try (Lease turn = session.lease("turn", LONG, Duration.ZERO);
        Lease title = session.lease("title", LONG, Duration.ZERO);
        Lease other = store.session("t").lease("turn", LONG, Duration.ZERO)) {
      assertThat(List.of(turn, title, other)).allMatch(Lease::isHeld);
    }
  }

  @Test
  void ofManyWhoWantItOneAtATimeHasIt() {
    AtomicInteger holders = new AtomicInteger();
    List<CompletableFuture<Void>> all =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int turn = 0; turn < 5; turn++) {
                            try (Lease lease = session.lease("turn", LONG, Duration.ofMinutes(1))) {
                              assertThat(holders.incrementAndGet()).isEqualTo(1);
                              assertThat(lease.isHeld()).isTrue();
                              holders.decrementAndGet();
                            }
                          }
                        }))
            .toList();
    all.forEach(CompletableFuture::join);
  }

  @Test
  void aLeaseLivesAtLeastAMillisecond() {
    assertThatThrownBy(() -> session.lease("turn", Duration.ofNanos(1), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("millisecond");
  }

  private static class CountingLeases implements Leases {
    private final Leases delegate;
    private final CountDownLatch asked;

    CountingLeases(Leases delegate, CountDownLatch asked) {
      this.delegate = delegate;
      this.asked = asked;
    }

    @Override
    public Optional<Grant> tryAcquire(
        SessionKey key, String name, String holder, Duration timeToLive) {
      asked.countDown();
      return delegate.tryAcquire(key, name, holder, timeToLive);
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration timeToLive) {
      return delegate.renew(grant, timeToLive);
    }

    @Override
    public void release(Grant grant) {
      delegate.release(grant);
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      return delegate.holder(key, name);
    }
  }
}
