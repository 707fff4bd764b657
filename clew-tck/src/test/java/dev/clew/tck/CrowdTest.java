package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrowdTest {

  @Test
  void whatTakesTooLong_saysHowFarItGot() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try {
      assertThatThrownBy(
              () ->
                  Crowd.of(
                      2,
                      Duration.ZERO,
                      () -> Math.min(1, done.get()) + " of 6000 operations were done",
                      thread -> {
                        done.incrementAndGet();
                        Await.open("the end of the test", never);
                        return thread;
                      }))
          .isInstanceOf(AssertionError.class)
          .hasMessageMatching("not within 0 s: [01] of 6000 operations were done");
    } finally {
      never.countDown();
    }
  }

  @Test
  void whatIsDoneInTime_isReturnedByNumber() {
    assertThat(Crowd.of(3, thread -> thread * thread)).isEqualTo(List.of(0, 1, 4));
  }
}
