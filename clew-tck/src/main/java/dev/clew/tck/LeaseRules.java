package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.Fence;
import dev.clew.Lease;
import dev.clew.Leases;
import dev.clew.Leases.Grant;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** C23: leases and fences. */
@Rule(
    "a lease has one holder until it is released or runs out, and its fence is higher "
        + "each time it changes hands, for good (see Leases)")
interface LeaseRules extends StoreFixture {
  Duration MINUTE = Duration.ofMinutes(1);

  @Test
  default void aFreeLease_isGranted() {
    SessionKey key = newKey();
    Grant grant = take(key, "ann");

    assertThat(grant.key()).isEqualTo(key);
    assertThat(grant.name()).isEqualTo("turn");
    assertThat(grant.holder()).isEqualTo("ann");
    assertThat(grant.expiresAt()).isEqualTo(clock().instant().plus(MINUTE));
    assertThat(leases().holder(key, "turn")).contains(grant);
  }

  @Test
  default void aLeaseThatIsHeld_isNotGivenToAnother() {
    SessionKey key = newKey();
    Grant grant = take(key, "ann");
    clock().advance(MINUTE.minusSeconds(1));

    assertThat(leases().tryAcquire(key, "turn", "bob", MINUTE)).isEmpty();
    assertThat(leases().holder(key, "turn")).contains(grant);
  }

  @Test
  default void aLeaseThatWasGivenBack_isFree() {
    SessionKey key = newKey();
    Grant first = take(key, "ann");
    leases().release(first);
    assertThat(leases().holder(key, "turn")).isEmpty();

    Grant second = take(key, "bob");
    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  @Test
  default void aLeaseThatRanOut_isFree() {
    SessionKey key = newKey();
    Grant first = take(key, "ann");
    clock().advance(MINUTE.plusSeconds(1));
    assertThat(leases().holder(key, "turn")).isEmpty();

    Grant second = take(key, "bob");
    assertThat(second.fence()).isGreaterThan(first.fence());
    assertThat(leases().holder(key, "turn").map(Grant::holder)).contains("bob");
  }

  @Test
  default void aRenewedLease_livesLonger() {
    SessionKey key = newKey();
    Grant first = take(key, "ann");
    clock().advance(Duration.ofSeconds(50));
    Grant renewed = leases().renew(first, MINUTE).orElseThrow();
    clock().advance(Duration.ofSeconds(50));

    assertThat(renewed.fence()).isEqualTo(first.fence());
    assertThat(leases().tryAcquire(key, "turn", "bob", MINUTE)).isEmpty();
    clock().advance(Duration.ofSeconds(11));
    assertThat(leases().tryAcquire(key, "turn", "bob", MINUTE)).isPresent();
  }

  @Test
  default void aLeaseThatRanOutAndThatNobodyTook_canBeRenewed() {
    SessionKey key = newKey();
    Grant first = take(key, "ann");
    clock().advance(MINUTE.plusSeconds(1));
    Grant renewed = leases().renew(first, MINUTE).orElseThrow();

    assertThat(renewed.fence()).isEqualTo(first.fence());
    assertThat(leases().holder(key, "turn")).contains(renewed);
  }

  @Test
  default void aLeaseThatWasGivenBack_cannotBeRenewed() {
    SessionKey key = newKey();
    Grant first = take(key, "ann");
    leases().release(first);

    assertThat(leases().renew(first, MINUTE)).isEmpty();
    assertThat(leases().holder(key, "turn")).isEmpty();
  }

  @Test
  @Rule(
      "erase frees the leases of the owner, so that others can take them at once, but "
          + "remembers the fence of each: the next grant has a higher one (see Leases)")
  default void fences_doNotStartAnewAfterAnErasure() {
    SessionKey key = new SessionKey("ann", "1");
    Grant before = take(key, "ann");
    store().erase("ann");

    Optional<Grant> after = leases().tryAcquire(key, "turn", "bob", MINUTE);
    assertThat(after).as("the lease after the erasure").isPresent();
    assertThat(after.orElseThrow().fence()).as("its fence").isGreaterThan(before.fence());
  }

  @Test
  default void aLeaseThatChangedHands_cannotBeRenewedByTheFormerHolder() {
    SessionKey key = newKey();
    Grant former = take(key, "ann");
    clock().advance(MINUTE.plusSeconds(1));
    Grant present = take(key, "bob");

    assertThat(leases().renew(former, MINUTE)).isEmpty();
    assertThat(leases().holder(key, "turn")).contains(present);
  }

  @Test
  default void aLeaseThatChangedHands_isNotFreedByTheFormerHolder() {
    SessionKey key = newKey();
    Grant former = take(key, "ann");
    clock().advance(MINUTE.plusSeconds(1));
    Grant present = take(key, "bob");
    leases().release(former);

    assertThat(leases().holder(key, "turn")).contains(present);
    assertThat(leases().tryAcquire(key, "turn", "carl", MINUTE)).isEmpty();
  }

  @Test
  default void aLeaseThatComesBackToItsFormerHolder_hasANewFence() {
    SessionKey key = newKey();
    Grant first = take(key, "ann");
    leases().release(first);
    Grant between = take(key, "bob");
    leases().release(between);
    Grant again = take(key, "ann");

    assertThat(again.fence()).isGreaterThan(between.fence());
    assertThat(leases().renew(first, MINUTE)).as("a renewal of the first grant").isEmpty();
  }

  @Test
  default void leases_areIndependentByNameSessionAndOwner() {
    SessionKey key = new SessionKey("ann", "1");
    take(key, "x");

    assertThat(leases().tryAcquire(key, "compaction", "y", MINUTE)).isPresent();
    assertThat(leases().tryAcquire(new SessionKey("ann", "2"), "turn", "y", MINUTE)).isPresent();
    assertThat(leases().tryAcquire(new SessionKey("bob", "1"), "turn", "y", MINUTE)).isPresent();
    assertThat(leases().tryAcquire(SessionKey.of("1"), "turn", "y", MINUTE)).isPresent();
    assertThat(leases().tryAcquire(key, "turn", "y", MINUTE)).isEmpty();
  }

  @Test
  default void aClockThatJumpsBack_freesNoLease() {
    SessionKey key = newKey();
    take(key, "ann");
    clock().advance(Duration.ofHours(-1));

    assertThat(leases().tryAcquire(key, "turn", "bob", MINUTE)).isEmpty();
  }

  @Test
  @Rule("a lease has a name, a holder and a time to live of at least a millisecond")
  default void whatIsNoLease_isRefused() {
    SessionKey key = newKey();
    Grant grant = take(key, "ann");

    assertThatThrownBy(() -> leases().tryAcquire(key, "", "ann", MINUTE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> leases().tryAcquire(key, "other", "", MINUTE))
        .isInstanceOf(IllegalArgumentException.class);
    for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofDays(-1))) {
      assertThatThrownBy(() -> leases().tryAcquire(key, "other", "ann", none))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> leases().renew(grant, none))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(leases().holder(key, "other")).isEmpty();
    assertThat(leases().holder(key, "turn")).contains(grant);
  }

  @Test
  @Rule("a lease may live as long as a Duration can be")
  default void aVeryLongLease_doesNotOverflow() {
    SessionKey key = newKey();
    Grant grant =
        leases().tryAcquire(key, "turn", "ann", Duration.ofMillis(Long.MAX_VALUE)).orElseThrow();
    clock().advance(Duration.ofDays(10_000));
    assertThat(leases().holder(key, "turn")).contains(grant);

    assertThat(leases().renew(grant, Duration.ofSeconds(Long.MAX_VALUE))).isPresent();
    clock().advance(Duration.ofDays(10_000));
    assertThat(leases().tryAcquire(key, "turn", "bob", MINUTE)).isEmpty();
  }

  @Test
  default void aWriteWithThePresentFence_isAccepted() {
    StoredSession session = newSession();
    Grant grant = take(session.key(), "ann");
    session.commit(append("one", grant));
    Grant renewed = leases().renew(grant, MINUTE).orElseThrow();
    session.commit(append("two", renewed));

    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void aWriteWithAnOutdatedFence_isRefused() {
    StoredSession session = newSession();
    Grant former = take(session.key(), "ann");
    session.commit(append("one", former));
    clock().advance(MINUTE.plusSeconds(1));
    Grant present = take(session.key(), "bob");

    assertBusy(session, append("late", former));
    session.commit(append("two", present));
    assertBusy(session, append("later", former));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  default void anOutdatedFence_isRefusedForEveryKindOfChange() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    Grant former = take(session.key(), "ann");
    leases().release(former);
    take(session.key(), "bob");
    Fence fence = new Fence("turn", former.fence());
    long first = Items.position(session, 0);

    assertBusy(session, Commit.removeItem(first).fence(fence));
    assertBusy(session, Commit.replacePrefix(first, Items.of("s")).fence(fence));
    assertBusy(session, Commit.replaceSuffix(Items.of("b"), List.of()).fence(fence));
    assertThat(session.getItems()).isEqualTo(Items.of("a", "b"));
  }

  @Test
  @Rule("delete leaves the leases of a session and their fences alone")
  default void anOutdatedFence_staysOutdatedWhenTheSessionIsCleared() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    Grant former = take(session.key(), "ann");
    clock().advance(MINUTE.plusSeconds(1));
    Grant present = take(session.key(), "bob");
    session.clearSession();

    assertBusy(session, append("late", former));
    session.commit(append("anew", present));
    assertThat(session.getItems()).isEqualTo(Items.of("anew"));
  }

  @Test
  default void aLeaseThatIsHeld_doesNotStopThoseWhoDoNotAskForIt() {
    StoredSession session = newSession();
    take(session.key(), "ann");
    session.addItems(Items.of("one"));

    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  default void ofManyWhoAskAtOnce_oneGetsTheLease() {
    SessionKey key = newKey();
    List<Boolean> granted =
        Crowd.of(
            8, thread -> leases().tryAcquire(key, "turn", "holder " + thread, MINUTE).isPresent());

    assertThat(granted).containsOnlyOnce(true);
    assertThat(leases().holder(key, "turn").map(Grant::holder))
        .contains("holder " + granted.indexOf(true));
  }

  @Test
  default void lease_ofASession_isFreedWhenItIsClosed() {
    StoredSession session = newSession();
    Lease lease = session.lease("turn", MINUTE, Duration.ZERO);
    session.commit(Commit.append(Items.of("one")).fence(lease.fence()));
    assertThat(leases().holder(session.key(), "turn")).isPresent();
    lease.close();
    lease.close();

    assertThat(lease.isHeld()).isFalse();
    assertThat(leases().holder(session.key(), "turn")).isEmpty();
  }

  @Test
  default void lease_thatSomebodyElseHolds_isRefusedNamingTheHolder() {
    StoredSession session = newSession();
    take(session.key(), "holder 17");

    assertThatThrownBy(() -> session.lease("turn", MINUTE, Duration.ofMillis(5)))
        .isInstanceOf(ClewException.SessionBusy.class)
        .hasMessageContaining("holder 17");
  }

  @Test
  default void lease_waitsUntilItIsFree() {
    StoredSession session = newSession();
    Lease first = session.lease("turn", MINUTE, Duration.ZERO);
    Future<Lease> waiting =
        Crowd.EXECUTOR.submit(() -> session.lease("turn", MINUTE, Await.DEADLINE));
    first.close();

    try (Lease second = Await.value(waiting)) {
      assertThat(second.isHeld()).isTrue();
      assertThat(second.fence().number()).isGreaterThan(first.fence().number());
    }
  }

  /** Takes the lease {@code turn}, which must be free, for a minute. */
  private Grant take(SessionKey key, String holder) {
    return leases().tryAcquire(key, "turn", holder, MINUTE).orElseThrow();
  }

  private Leases leases() {
    return store().leases();
  }

  private static Commit append(String text, Grant grant) {
    return Commit.append(Items.of(text)).fence(new Fence(grant.name(), grant.fence()));
  }

  private static void assertBusy(StoredSession session, Commit transaction) {
    Optional<Long> before = session.info().map(info -> info.version());
    assertThatThrownBy(() -> session.commit(transaction))
        .isInstanceOf(ClewException.SessionBusy.class);
    assertThat(session.info().map(info -> info.version())).isEqualTo(before);
  }
}
