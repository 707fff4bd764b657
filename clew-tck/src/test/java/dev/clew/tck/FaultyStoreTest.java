package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import dev.clew.Watch;
import dev.clew.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
  private final FaultyStore store = new FaultyStore(new MemoryStore());
  private final StoredSession session = store.session("s");

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void withoutAFault_everythingIsPassedOn() {
    session.addItems(Items.of("one"));

    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    assertThat(store.calls("apply")).isEqualTo(1);
    assertThat(store.calls("read")).isEqualTo(1);
  }

  @Test
  void failBefore_writesNothing() {
    store.failBefore(FaultyStore.nth("apply", 2));
    session.addItems(Items.of("one"));

    assertThatThrownBy(() -> session.addItems(Items.of("two")))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
    session.addItems(Items.of("three"));
    assertThat(session.getItems()).isEqualTo(Items.of("one", "three"));
  }

  @Test
  void failAfter_writesAndLeavesTheOutcomeUnknown() {
    store.failAfter(FaultyStore.nth("apply", 1));

    assertThatThrownBy(() -> session.addItems(Items.of("one")))
        .isInstanceOf(ClewException.OutcomeUnknown.class);
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  void anUnknownOutcome_isRepeatedSafelyWithAnOperationId() {
    store.failAfter(FaultyStore.nth("apply", 1));
    Commit turn = Commit.append(Items.of("one")).operationId("turn-1");

    assertThatThrownBy(() -> session.commit(turn)).isInstanceOf(ClewException.OutcomeUnknown.class);
    assertThat(session.commit(turn).repeated()).isTrue();
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  void aPredicate_choosesTheSession() {
    store.failBefore(call -> call.key().equals(Optional.of(SessionKey.of("bad"))));
    session.addItems(Items.of("one"));

    assertThatThrownBy(() -> store.session("bad").addItems(Items.of("one")))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    assertThatThrownBy(() -> store.session("bad").getItems())
        .isInstanceOf(ClewException.StoreUnavailable.class);
  }

  @Test
  void everyOtherCall_canFailToo() {
    store.failBefore(call -> true);
    Duration minute = Duration.ofMinutes(1);

    assertThatThrownBy(store::ping).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThatThrownBy(session::popItem).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThatThrownBy(() -> store.leases().tryAcquire(session.key(), "turn", "x", minute))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    assertThatThrownBy(
            () -> store.documents().put("", "r", "{}", OptionalLong.empty(), Optional.empty()))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    store.heal();
    store.ping();
    assertThat(store.documents().get("", "r")).isEmpty();
    assertThat(store.calls("records.put")).isEqualTo(1);
  }

  @Test
  void aHeldCall_waitsUntilItIsReleased() {
    FaultyStore.Hold hold = store.hold(FaultyStore.every("apply"));
    Future<?> writing = Crowd.EXECUTOR.submit(() -> session.addItems(Items.of("one")));
    hold.awaitReached();

    assertThat(session.getItems()).isEmpty();
    assertThat(writing.isDone()).isFalse();
    hold.release();
    Await.value(writing);
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  void aWatcherWhoseLookFailed_isServedSoon() {
    FaultyStore store = new FaultyStore(new MemoryStore());
    store.failBefore(FaultyStore.nth("changes", 1));
    List<SessionEvent> events = new CopyOnWriteArrayList<>();
    store.session("s").addItems(Items.of("one"));
    try (Watch watch = store.session("s").watch(0, events::add)) {
      Await.until(() -> "the append arrived at " + watch, () -> events.size() == 1);
    }
  }
}
