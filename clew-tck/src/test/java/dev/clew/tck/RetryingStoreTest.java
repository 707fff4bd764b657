package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.Fence;
import dev.clew.Item;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Watch;
import dev.clew.decorate.RetryPolicy;
import dev.clew.decorate.RetryingStore;
import dev.clew.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is tried again, how often, after which pauses; and that nothing is done twice. */
class RetryingStoreTest {
  private final FaultyStore faulty = new FaultyStore(new MemoryStore());
  private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong nanos = new AtomicLong();
  private RetryingStore store = with(RetryPolicy.DEFAULT);

  private RetryingStore with(RetryPolicy policy) {
    return new RetryingStore(
        faulty,
        policy,
        pause -> {
          pauses.add(pause);
          nanos.addAndGet(pause.toNanos());
        },
        nanos::get);
  }

  private StoredSession session() {
    return store.session("s");
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aCallThatFailsTwice_isMadeThreeTimesAfterGrowingPauses() {
    faulty.failBefore(call -> call.name().equals("apply") && call.number() <= 2);
    session().addItems(Items.of("one"));

    assertThat(faulty.calls("apply")).isEqualTo(3);
    assertThat(pauses).hasSize(2);
    assertThat(pauses.get(0)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    assertThat(pauses.get(1)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    assertThat(session().getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  void aCallThatKeepsFailing_failsAfterThreeAttempts() {
    faulty.failBefore(FaultyStore.every("info"));

    assertThatThrownBy(() -> session().info()).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThat(faulty.calls("info")).isEqualTo(3);
  }

  @Test
  void pauses_areJitteredAndBounded() {
    store = with(RetryPolicy.DEFAULT.attempts(12).factor(3).longestPause(Duration.ofSeconds(5)));
    faulty.failBefore(FaultyStore.every("info"));

    assertThatThrownBy(() -> session().info()).isInstanceOf(ClewException.class);
    assertThat(pauses).hasSize(11).allMatch(pause -> pause.toMillis() <= 5000);
    assertThat(pauses.subList(3, 11)).doesNotHaveDuplicates();
  }

  @Test
  void afterTheDeadline_noAttemptBegins() {
    store = with(RetryPolicy.DEFAULT.attempts(100).deadline(Duration.ofSeconds(10)));
    faulty.failBefore(FaultyStore.every("info"));

    assertThatThrownBy(() -> session().info()).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThat(Duration.ofNanos(nanos.get())).isLessThanOrEqualTo(Duration.ofSeconds(10));
    assertThat(faulty.calls("info")).isBetween(3, 8);
  }

  @Test
  void whatCannotSucceedLater_isNotTriedAgain() {
    session().addItems(Items.of("one"));
    Commit conflict = Commit.append(Items.of("two")).expectVersion(99);

    assertThatThrownBy(() -> session().commit(conflict))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThatThrownBy(() -> session().commit(conflict.fence(new Fence("turn", 7))))
        .isInstanceOf(ClewException.SessionBusy.class);
    assertThat(pauses).isEmpty();
  }

  @Test
  void aPing_isNotRepeated_becauseItTellsHowThingsAreNow() {
    faulty.failBefore(FaultyStore.every("ping"));

    assertThatThrownBy(store::ping).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThat(faulty.calls("ping")).isEqualTo(1);
  }

  @Test
  void anInterruptedPause_endsWithTheFailureAndTheInterrupt() {
    store =
        new RetryingStore(
            faulty,
            RetryPolicy.DEFAULT,
            pause -> {
              throw new InterruptedException();
            },
            System::nanoTime);
    faulty.failBefore(FaultyStore.every("info"));

    assertThatThrownBy(() -> session().info()).isInstanceOf(ClewException.StoreUnavailable.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(faulty.calls("info")).isEqualTo(1);
  }

  @Test
  void anAppendOfUnknownOutcome_isWrittenOnce() {
    faulty.failAfter(call -> call.name().equals("apply") && call.number() <= 2);
    session().addItems(Items.of("one", "two"));

    assertThat(faulty.calls("apply")).isEqualTo(3);
    assertThat(session().getItems()).isEqualTo(Items.of("one", "two"));
  }

  @Test
  void anOperationIdOfTheCaller_isKept() {
    Commit turn = Commit.append(Items.of("one")).operationId("turn-1");
    faulty.failAfter(FaultyStore.nth("apply", 1));

    assertThat(session().commit(turn).repeated()).isTrue();
    assertThat(faulty.session("s").commit(turn).repeated()).isTrue();
    assertThat(session().getItems()).hasSize(1);
  }

  @Test
  void aPopOfUnknownOutcome_takesOneItem() {
    session().addItems(Items.of("one", "two", "three"));
    faulty.failAfter(call -> call.name().equals("apply") && call.number() % 2 == 0);

    assertThat(session().popItem()).contains(Item.user("three"));
    assertThat(session().popItem()).contains(Item.user("two"));
    assertThat(session().getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  void anUpdateThatConflictsWithItsOwnFirstAttempt_hasAnUnknownOutcome() {
    session().addItems(Items.of("one"));
    long version = session().info().orElseThrow().version();
    faulty.failAfter(FaultyStore.nth("update", 1));
    SessionUpdate update = SessionUpdate.none().title("new").expectVersion(version);

    assertThatThrownBy(() -> session().update(update))
        .isInstanceOf(ClewException.OutcomeUnknown.class);
    assertThatThrownBy(() -> session().update(update))
        .isInstanceOf(ClewException.VersionConflict.class);
  }

  @Test
  void aForkOfUnknownOutcome_doesNotSayThatNothingWasMade() {
    session().addItems(Items.of("one"));
    long upTo = Items.position(session(), 0);
    faulty.failAfter(FaultyStore.nth("fork", 1));

    assertThatThrownBy(() -> session().fork("fork", upTo))
        .isInstanceOf(ClewException.OutcomeUnknown.class);
    assertThat(store.session("fork").getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  void aRecordOfUnknownOutcome_isNotTakenForSomebodyElses() {
    faulty.failAfter(FaultyStore.nth("records.put", 1));

    assertThatThrownBy(
            () -> store.documents().put("", "r", "1", OptionalLong.of(0), Optional.empty()))
        .isInstanceOf(ClewException.OutcomeUnknown.class);
    assertThat(store.documents().put("", "r", "2", OptionalLong.empty(), Optional.empty()).json())
        .isEqualTo("2");
  }

  @Test
  void aWatch_looksAgainWhenTheStoreFails() {
    faulty.failBefore(FaultyStore.nth("changes", 1));
    List<SessionEvent> events = Collections.synchronizedList(new ArrayList<>());
    session().addItems(Items.of("one"));

    try (Watch watch = session().watch(0, events::add)) {
      Await.until(() -> "the append arrived at " + watch, () -> events.size() == 1);
    }
    assertThat(faulty.calls("changes")).isEqualTo(2);
  }

  @Test
  void aLeaseOfUnknownOutcome_isHeldByItsHolder() {
    SessionKey key = SessionKey.of("s");
    faulty.failAfter(FaultyStore.nth("leases.tryAcquire", 1));

    assertThat(store.leases().tryAcquire(key, "turn", "ann", Duration.ofMinutes(1))).isPresent();
    assertThat(store.leases().tryAcquire(key, "turn", "bob", Duration.ofMinutes(1))).isEmpty();
  }

  @Test
  void whatManyThreadsWriteToAStoreThatFailsNowAndThen_isThereOnceAndInOrder() {
    store = with(RetryPolicy.DEFAULT.attempts(40));
    faulty.failBefore(call -> call.number() % 3 == 0);
    faulty.failAfter(call -> call.number() % 4 == 0);
    int threads = 6;
    int each = 100;
    Crowd.of(
        threads,
        thread -> {
          for (int i = 0; i < each; i++) {
            session().addItems(List.of(Item.user(thread + "/" + i), Item.user(thread + "/+" + i)));
          }
          return thread;
        });
    faulty.heal();

    List<Item> found = session().getItems();
    assertThat(found).hasSize(threads * each * 2).doesNotHaveDuplicates();
    for (int thread = 0; thread < threads; thread++) {
      List<Item> mine = new ArrayList<>();
      for (int i = 0; i < each; i++) {
        mine.add(Item.user(thread + "/" + i));
        mine.add(Item.user(thread + "/+" + i));
      }
      assertThat(found).containsSubsequence(mine);
    }
  }

  @Test
  void whatManyThreadsPopFromAStoreThatFailsNowAndThen_eachGetsOnce() {
    List<Item> items = Items.numbered("item", 200);
    session().addItems(items);
    store = with(RetryPolicy.DEFAULT.attempts(40));
    faulty.failBefore(call -> call.number() % 3 == 0 && !call.name().equals("removeLast"));
    faulty.failAfter(call -> call.number() % 4 == 0 && call.name().equals("apply"));
    List<List<Item>> popped =
        Crowd.of(
            4,
            thread -> {
              List<Item> mine = new ArrayList<>();
              for (int i = 0; i < 40; i++) {
                session().popItem().ifPresent(mine::add);
              }
              return mine;
            });
    faulty.heal();

    List<Item> all = new ArrayList<>(session().getItems());
    popped.forEach(all::addAll);
    assertThat(all).containsExactlyInAnyOrderElementsOf(items);
  }
}
