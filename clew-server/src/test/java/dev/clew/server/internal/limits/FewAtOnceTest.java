package dev.clew.server.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.server.Eventually;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How the turns of callers who queue are spaced. */
class FewAtOnceTest {
  private final FewAtOnce turns = new FewAtOnce("searches", 4, 1, 5, Duration.ofSeconds(60));

  /** A call and what it took, in nanoseconds. */
  private record Call(long begun, long ended) {}

  private static Call call() {
    long begun = System.nanoTime();
    return new Call(begun, begun);
  }

  @Test
  void afterACallOfACallerWhoQueues_theNextWaitsAsLongAsItTook() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    CompletableFuture<Call> first =
        CompletableFuture.supplyAsync(
            () ->
                turns.run(
                    "ann",
                    () -> {
                      long from = System.nanoTime();
                      begun.countDown();
                      Eventually.ask("released", released::getCount, left -> left == 0);
                      return new Call(from, System.nanoTime());
                    }));
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Call> second = new CompletableFuture<>();
    Thread queued = new Thread(() -> second.complete(turns.run("ann", FewAtOnceTest::call)));
    queued.start();
    Eventually.ask("it waits", queued::getState, Thread.State.TIMED_WAITING::equals);
    released.countDown();

    long took = first.get().ended() - first.get().begun();
    assertThat(second.get().begun() - first.get().ended()).isGreaterThanOrEqualTo(took);
  }

  @Test
  void aCallerWhoDoesNotQueue_neverWaits() {
    turns.run("ann", FewAtOnceTest::call);
    Thread.currentThread().interrupt(); // a wait would notice
    assertThat(turns.run("ann", FewAtOnceTest::call)).isNotNull();
    assertThat(Thread.interrupted()).isTrue();
  }
}
