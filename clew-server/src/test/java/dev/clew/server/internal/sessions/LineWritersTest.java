package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.server.Eventually;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LineWritersTest {
  private static final int MOST = 100 * LineWriters.EACH;
  private static final int LINES = 5_000;

  private static void await(CountDownLatch latch) {
    Eventually.open("let go", latch);
  }

  @Test
  void veryManyShortLinesAreHeldAFewAtATime() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    try (LineWriters writers = new LineWriters(MOST)) {
      CompletableFuture<Void> fed = new CompletableFuture<>();
      Thread feeding =
          new Thread(
              () -> {
                for (int i = 0; i < LINES; i++) {
                  begun.incrementAndGet();
                  writers.begin(
                      "{}",
                      () -> {
                        await(go);
                        done.incrementAndGet();
                      });
                }
                writers.await();
                fed.complete(null);
              });
      feeding.start();
      Eventually.ask("it waits", feeding::getState, Thread.State.WAITING::equals);
      assertThat(begun.get()).isLessThanOrEqualTo(100);
      go.countDown();
      var unused = Eventually.value(fed);
      assertThat(done.get()).isEqualTo(LINES);
    }
  }

  @Test
  void whatFailsOnALineEndsTheImport() {
    try (LineWriters writers = new LineWriters(MOST)) {
      writers.begin(
          "{}",
          () -> {
            throw new ClewException.StoreUnavailable("gone", null);
          });
      assertThatThrownBy(writers::await).isInstanceOf(ClewException.StoreUnavailable.class);
      assertThatThrownBy(() -> writers.begin("{}", () -> {}))
          .isInstanceOf(ClewException.StoreUnavailable.class);
    }
  }
}
