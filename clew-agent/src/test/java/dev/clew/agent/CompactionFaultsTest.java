package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.memory.MemoryStore;
import dev.clew.tck.FaultyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is left when a compaction meets others, or fails. */
class CompactionFaultsTest {
  private final Script model = new Script();
  private final Runner runner = Runner.with(model);
  private final Agent agent = Agent.builder().name("Guide").build();
  private final FaultyStore store = new FaultyStore(new MemoryStore());
  private final StoredSession stored = store.session("s");
  private final Summarised compactor = new Summarised();

  private static final List<Item> HISTORY =
      List.of(Item.user("a"), Item.assistant("1"), Item.user("b"), Item.assistant("2"));
  private static final Item LATE = Item.user("late");

  private static CompactionSession always(Session session, Compactor compactor) {
    return CompactionSession.builder(session, compactor).trigger(context -> true).build();
  }

  private RunResult turn(Session session) {
    model.says("answer");
    return runner.run(agent, "question", session);
  }

  @Test
  void whatIsAppendedMeanwhileIsKept() {
    for (Session below : List.of(stored, new MemorySession())) {
      below.addItems(HISTORY);
      compactor.meanwhile = request -> below.addItems(List.of(LATE));
      int number = compactor.requests.size() + 1;
      assertThat(always(below, compactor).runCompaction().compacted()).isTrue();
      assertThat(below.getItems()).containsExactly(Summarised.item(number), LATE);
    }
  }

  @Test
  void whatIsAppendedMeanwhileKeepsAnInPlaceCompactionFromHidingIt() {
    for (Session below : List.of(stored, new MemorySession())) {
      below.addItems(HISTORY);
      compactor.meanwhile = request -> below.addItems(List.of(LATE));
      CompactionSession session = CompactionSession.builder(below, compactor).inPlace().build();
      CompactionReport report = session.runCompaction(CompactionOptions.FORCE);
      assertThat(report.reason()).isEqualTo("the history was changed meanwhile");
      assertThat(report.usage()).isEqualTo(Summarised.COST);
      assertThat(below.getItems()).hasSize(5).endsWith(LATE);
      compactor.meanwhile = request -> {};
      assertThat(session.runCompaction(CompactionOptions.FORCE).compacted()).isTrue();
      assertThat(below.getItems()).hasSize(6);
    }
  }

  @Test
  void aChangedTitleDisturbsNothing() {
    stored.addItems(HISTORY);
    compactor.meanwhile = request -> stored.update(dev.clew.SessionUpdate.none().title("a title"));
    assertThat(
            CompactionSession.builder(stored, compactor)
                .inPlace()
                .build()
                .runCompaction(CompactionOptions.FORCE)
                .compacted())
        .isTrue();
  }

  @Test
  void whatWasUndoneMeanwhileDoesNotComeBack() {
    for (Session below : List.of(stored, new MemorySession())) {
      below.addItems(HISTORY);
      compactor.meanwhile = request -> below.popItem();
      assertThat(always(below, compactor).runCompaction().compacted()).isFalse();
      assertThat(below.getItems()).isEqualTo(HISTORY.subList(0, 3));
    }
  }

  @Test
  void aSessionThatWasClearedMeanwhileStaysEmpty() {
    for (Session below : List.of(stored, new MemorySession())) {
      below.addItems(HISTORY);
      compactor.meanwhile = request -> below.clearSession();
      assertThat(always(below, compactor).runCompaction().compacted()).isFalse();
      assertThat(below.getItems()).isEmpty();
    }
    assertThat(stored.info()).isEmpty();
  }

  @Test
  void aSessionThatWasClearedAndBegunAnewIsNotGivenTheOldSummary() {
    stored.addItems(HISTORY);
    compactor.meanwhile =
        request -> {
          stored.clearSession();
          stored.addItems(HISTORY);
        };
    assertThat(always(stored, compactor).runCompaction().compacted()).isFalse();
    assertThat(stored.getItems()).isEqualTo(HISTORY);
  }

  @Test
  void ofTwoCompactionsOfOneHistoryOneCounts() {
    stored.addItems(HISTORY);
    Summarised other = new Summarised();
    compactor.meanwhile = request -> always(stored, other).runCompaction();
    assertThat(always(stored, compactor).runCompaction().compacted()).isFalse();
    assertThat(stored.getItems()).containsExactly(Summarised.item(1));
    assertThat(stored.entries(dev.clew.Range.first(100).withCompacted()).entries()).hasSize(5);
  }

  @Test
  void aCompactorThatFailsChangesNothingAndIsTriedAgain() {
    for (Session below : List.of(stored, new MemorySession())) {
      Summarised failing = new Summarised().fails();
      CompactionSession session = always(below, failing);
      assertThat(turn(session).finalOutput()).isEqualTo("answer");
      assertThat(below.getItems()).hasSize(2);
      turn(session);
      assertThat(failing.requests).hasSize(2);
      turn(session); // it failed twice: one turn is left out
      assertThat(failing.requests).hasSize(2);
      failing.meanwhile = request -> {};
      turn(session);
      assertThat(below.getItems()).containsExactly(Summarised.item(3));
      assertThatThrownBy(
              () -> {
                below.addItems(HISTORY);
                failing.fails();
                session.runCompaction();
              })
          .isInstanceOf(ClewException.ModelFailed.class);
      assertThat(below.getItems()).hasSize(5);
    }
  }

  @Test
  void aCompactorThatReturnsNothingEmptiesNothing() {
    Session session = always(stored, request -> Compaction.of(List.of()));
    turn(session);
    assertThat(stored.getItems()).hasSize(2);
  }

  @Test
  void aTriggerThatFailsDoesNotFailTheRun() {
    Session session =
        CompactionSession.builder(stored, compactor)
            .trigger(
                context -> {
                  throw new IllegalStateException("a mistake");
                })
            .build();
    assertThat(turn(session).finalOutput()).isEqualTo("answer");
  }

  @Test
  void aStoreThatFailsBeforeTheReplacementKeepsTheOldHistory() {
    stored.addItems(HISTORY);
    CompactionSession session = always(stored, compactor);
    store.failBefore(call -> call.name().equals("apply"));
    assertThatThrownBy(session::runCompaction).isInstanceOf(ClewException.class);
    store.heal();
    assertThat(stored.getItems()).isEqualTo(HISTORY);
    assertThat(session.usage()).isEqualTo(Summarised.COST);
    assertThat(session.runCompaction().compacted()).isTrue();
  }

  @Test
  void aReplacementWhoseAnswerWasLostIsDoneOnce() {
    stored.addItems(HISTORY);
    store.failAfter(FaultyStore.nth("apply", 2));
    assertThat(always(stored, compactor).runCompaction().compacted()).isTrue();
    assertThat(stored.getItems()).containsExactly(Summarised.item(1));
    assertThat(stored.entries(dev.clew.Range.first(100).withCompacted()).entries()).hasSize(5);
  }

  @Test
  void aStoreThatCannotBeReadDoesNotFailTheRun() {
    CompactionSession session = always(stored, compactor);
    compactor.meanwhile = request -> store.failBefore(call -> !call.name().startsWith("leases"));
    assertThat(turn(session).finalOutput()).isEqualTo("answer");
    store.heal();
    assertThat(stored.getItems()).hasSize(2);
  }

  @Test
  void aTurnThatLostItsLeaseDoesNotCompact() {
    CompactionSession session = always(stored, compactor);
    compactor.meanwhile =
        request -> {
          dev.clew.Leases leases = store.leases();
          leases.release(leases.holder(stored.key(), "turn").orElseThrow());
          leases.tryAcquire(stored.key(), "turn", "other", java.time.Duration.ofMinutes(1));
        };
    turn(session);
    assertThat(stored.getItems()).hasSize(2);
  }

  /** Fails as often as it is told to. */
  private static final class Failing implements Session {
    private final List<Item> items = new ArrayList<>();
    private int clears;
    private int adds;

    @Override
    public String id() {
      return "mine";
    }

    @Override
    public List<Item> getItems() {
      return List.copyOf(items);
    }

    @Override
    public List<Item> getItems(int limit) {
      return List.copyOf(items.subList(Math.max(0, items.size() - limit), items.size()));
    }

    @Override
    public void addItems(List<Item> more) {
      if (adds > 0) {
        adds--;
        throw new IllegalStateException("no room");
      }
      items.addAll(more);
    }

    @Override
    public Optional<Item> popItem() {
      return items.isEmpty() ? Optional.empty() : Optional.of(items.remove(items.size() - 1));
    }

    @Override
    public void clearSession() {
      if (clears > 0) {
        clears--;
        throw new IllegalStateException("not now");
      }
      items.clear();
    }
  }

  @Test
  void aHandWrittenSessionThatCannotBeClearedKeepsItsHistory() {
    Failing mine = new Failing();
    mine.addItems(HISTORY);
    mine.clears = 1;
    CompactionSession session = always(mine, compactor);
    assertThatThrownBy(session::runCompaction).hasMessage("not now");
    assertThat(mine.getItems()).isEqualTo(HISTORY);
    assertThat(session.runCompaction().compacted()).isTrue();
  }

  @Test
  void aHandWrittenSessionThatCannotBeWrittenGetsItsHistoryBack() {
    Failing mine = new Failing();
    mine.addItems(HISTORY);
    mine.adds = 1;
    assertThatThrownBy(() -> always(mine, compactor).runCompaction()).hasMessage("no room");
    assertThat(mine.getItems()).isEqualTo(HISTORY);
  }

  @Test
  void aHistoryThatCannotBePutBackAtOnceIsPutBackLater() {
    Failing mine = new Failing();
    mine.addItems(HISTORY);
    mine.adds = 3;
    CompactionSession session = always(mine, compactor);
    assertThatThrownBy(session::runCompaction).hasMessage("no room");
    assertThat(mine.getItems()).isEmpty();
    assertThatThrownBy(session::getItems).hasMessage("no room");
    session.addItems(List.of(LATE));
    assertThat(mine.getItems()).hasSize(5).startsWith(HISTORY.get(0)).endsWith(LATE);
  }

  @Test
  void whatOthersWroteBeforeAHistoryWasPutBackComesBehindIt() {
    Failing mine = new Failing();
    mine.addItems(HISTORY);
    mine.adds = 2;
    CompactionSession session = always(mine, compactor);
    assertThatThrownBy(session::runCompaction).hasMessage("no room");
    mine.addItems(List.of(LATE));
    assertThat(session.getItems()).hasSize(5).startsWith(HISTORY.get(0)).endsWith(LATE);
  }

  @Test
  void aClearedSessionIsNotPutBack() {
    Failing mine = new Failing();
    mine.addItems(HISTORY);
    mine.adds = 2;
    CompactionSession session = always(mine, compactor);
    assertThatThrownBy(session::runCompaction).hasMessage("no room");
    session.clearSession();
    assertThat(session.getItems()).isEmpty();
  }

  @Test
  void inTheBackgroundTheRunEndsFirst() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    compactor.meanwhile =
        request -> {
          started.countDown();
          try {
            assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    CompactionSession session =
        CompactionSession.builder(stored, compactor)
            .trigger(context -> true)
            .inBackground()
            .build();
    assertThat(turn(session).requests()).hasSize(1);
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    turn(session); // one is under way, and what this turn adds is kept
    goOn.countDown();
    session.awaitCompaction();

    assertThat(compactor.requests).hasSize(1);
    assertThat(stored.getItems())
        .containsExactly(Summarised.item(1), Item.user("question"), Item.assistant("answer"));
    assertThat(session.usage()).isEqualTo(Summarised.COST);
    turn(session);
    session.awaitCompaction();
    assertThat(stored.getItems()).containsExactly(Summarised.item(2));
  }

  @Test
  void threadsThatTakeNothingDoNotFailTheRun() {
    CompactionSession session =
        CompactionSession.builder(stored, compactor)
            .trigger(context -> true)
            .inBackground(
                task -> {
                  throw new java.util.concurrent.RejectedExecutionException("full");
                })
            .build();
    assertThat(turn(session).finalOutput()).isEqualTo("answer");
    session.awaitCompaction();
  }
}
