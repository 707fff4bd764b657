package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Work in the background that fails. */
class IdleSchedulerTest {
  @Test
  void aPieceOfWorkThatRunsOutOfMemory_endsNothing() throws InterruptedException {
    CountDownLatch tries = new CountDownLatch(3);
    IdleScheduler times =
        new IdleScheduler(
            "clew-test-upkeep",
            () -> {
              tries.countDown();
              if (tries.getCount() > 0) {
                throw new OutOfMemoryError("of a test");
              }
            },
            () -> {});
    try {
      times.written();
      assertThat(tries.await(30, TimeUnit.SECONDS)).as("tried again after it failed").isTrue();
    } finally {
      times.close();
    }
  }
}
