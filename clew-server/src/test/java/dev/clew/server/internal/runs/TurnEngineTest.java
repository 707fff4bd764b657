package dev.clew.server.internal.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.SessionKey;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Eventually;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.telemetry.Meters;
import dev.clew.server.internal.telemetry.Telemetry;
import dev.clew.server.internal.telemetry.Traces;
import dev.clew.server.settings.TurnSettings;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What all turns have in common, whichever API starts them. */
class TurnEngineTest {
  private static final SessionKey SESSION = new SessionKey("ann", "s");

  private final MemoryStore store = MemoryStore.builder().build();
  private final Meters meters = new Meters();
  private final TurnEngine engine =
      new TurnEngine(
          store, TurnSettings.DEFAULT, new Telemetry(meters, new Traces(OpenTelemetry.noop())));

  @AfterEach
  void close() {
    engine.close(Duration.ZERO);
    meters.close();
    store.close();
  }

  /** A turn whose model answers when the test says so. */
  private static class Held extends Turn {
    final List<String> steps = new CopyOnWriteArrayList<>();
    final CountDownLatch begun = new CountDownLatch(1);
    final CompletableFuture<Void> model = new CompletableFuture<>();
    volatile boolean toStop;

    Held(String id) {
      this("ann", id);
    }

    Held(String owner, String id) {
      super(new Name("test", owner, id, "s"));
    }

    @Override
    protected void announce() {
      steps.add("announce");
    }

    @Override
    protected void answer() {
      steps.add("answer");
      begun.countDown();
      stop()
          .guard(
              () -> {
                try {
                  return model.get();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
    }

    @Override
    protected CompletableFuture<Void> commit() {
      steps.add("commit");
      return super.commit();
    }

    @Override
    protected Ending end(@Nullable Throwable failure) {
      steps.add("end");
      return new Ending("\"said\"", failure);
    }

    @Override
    protected void publish(Ending ending) {
      steps.add("publish");
    }

    @Override
    protected boolean isToStop() {
      return toStop;
    }
  }

  private Held started(String id) {
    Held turn = new Held(id);
    engine.start(turn);
    Eventually.open("it runs", turn.begun);
    return turn;
  }

  @Test
  void theStepsOfATurnAreTakenInOrder_andItIsFoundMeanwhile() {
    Held turn = started("t1");
    assertThat(engine.find("ann", "t1", Held.class)).containsSame(turn);
    assertThat(engine.find("bob", "t1", Held.class)).isEmpty();
    turn.model.complete(null);
    assertThat(Eventually.value(turn.result())).isEqualTo("\"said\"");
    assertThat(turn.steps).containsExactly("announce", "answer", "commit", "end", "publish");
    assertThat(engine.find("ann", "t1", Held.class)).isEmpty();
  }

  @Test
  void aTurnThatSomebodyElsewhereWantsToStop_isStopped_andCommitsNothing() {
    Held turn = started("t1");
    turn.toStop = true;
    assertThatThrownBy(() -> turn.result().join()).hasCauseInstanceOf(Stop.Stopped.class);
    assertThat(turn.steps).containsExactly("announce", "answer", "end", "publish");
  }

  @Test
  void aTurnThatCannotBeAnnounced_doesNotRun_andTakesNoPlace() {
    for (int i = 0; i < 600; i++) {
      Held turn =
          new Held("t" + i) {
            @Override
            protected void announce() {
              throw new IllegalStateException("it is there already");
            }
          };
      assertThatThrownBy(() -> engine.start(turn)).isInstanceOf(IllegalStateException.class);
      assertThat(turn.steps).isEmpty();
    }
    assertThat(engine.running(Turn.class)).isEmpty();
  }

  @Test
  void thereIsALimitOfTurnsThatRun_andOneThatEndsMakesRoom() {
    List<Held> turns = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Held turn = new Held(i % 2 == 0 ? "ann" : "bob", "t" + i);
      engine.start(turn);
      turns.add(turn);
    }
    Held more = new Held("cleo", "more");
    assertThatThrownBy(() -> engine.start(more))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.status()).isEqualTo(429));
    assertThat(more.steps).isEmpty();
    turns.get(0).model.complete(null);
    Eventually.value(turns.get(0).result());
    engine.start(more);
    assertThat(engine.running(Held.class)).hasSize(500);
  }

  @Test
  void aClosingEngineWaitsForTurns_andStartsNoMore() {
    Held turn = started("t1");
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(() -> engine.close(Eventually.DEADLINE));
    Problem refused =
        Eventually.ask("it is closing", () -> refusal("t2"), problem -> problem != null);
    assertThat(refused.status()).isEqualTo(503);
    assertThatThrownBy(() -> engine.aside(() -> "")).isInstanceOf(Problem.class);
    turn.model.complete(null);
    assertThat(Eventually.value(turn.result())).isEqualTo("\"said\"");
    Eventually.value(closing);
  }

  /** Why a turn cannot be started; null if it can, and then it is answered at once. */
  private @Nullable Problem refusal(String id) {
    Held turn = new Held(id);
    turn.model.complete(null);
    try {
      engine.start(turn);
      Eventually.value(turn.result());
      return null;
    } catch (Problem e) {
      return e;
    }
  }

  @Test
  void aClosingEngineStopsWhatDoesNotEndInTime() {
    Held turn = started("t1");
    engine.close(Duration.ZERO);
    assertThatThrownBy(() -> turn.result().join())
        .cause()
        .isInstanceOfSatisfying(
            Stop.Stopped.class,
            stopped -> assertThat(stopped.reason()).isEqualTo(Stop.Reason.SERVER_STOPS));
  }

  @Test
  void whatIsDoneBetweenTurns_hasTheSessionForItself() {
    String held =
        engine.between(
            SESSION,
            session -> {
              assertThat(TurnEngine.holder(store, SESSION)).isPresent();
              return session.id();
            });
    assertThat(held).isEqualTo("s");
    assertThat(TurnEngine.holder(store, SESSION)).isEmpty();
  }

  @Test
  void oneOwnerHasHalfOfThePlaces() {
    List<Held> all = new ArrayList<>();
    for (int i = 0; i < TurnEngine.MOST_OF_OWNER; i++) {
      Held turn = new Held("turn " + i);
      engine.start(turn);
      all.add(turn);
    }
    assertThatThrownBy(() -> engine.start(new Held("one more")))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.code()).isEqualTo("too_many_turns"));
    Held bobs = new Held("bob", "bob's");
    engine.start(bobs);
    all.add(bobs);
    all.forEach(turn -> turn.model.complete(null));
    all.forEach(turn -> Eventually.value(turn.result()));
    Eventually.ask("ann has places again", () -> hasPlace("again"), has -> has);
  }

  private boolean hasPlace(String id) {
    try {
      Held turn = new Held(id);
      turn.model.complete(null);
      engine.start(turn);
      return true;
    } catch (Problem e) {
      return false;
    }
  }
}
