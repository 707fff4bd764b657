package dev.clew.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private static final class Work extends GroupCommit.Job {}

  private final GroupCommit<Work> group =
      new GroupCommit<>(
          batch -> batch.forEach(work -> work.finish(null)),
          () -> new ClewException.StoreUnavailable("closed", null, false));

  /** It did: a pause before the next commit then took no time at all, and others starved. */
  @Test
  void aThreadThatCommittedForItselfIsNotLeftWithAWakeUpCall() {
    group.run(new Work());
    long start = System.nanoTime();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(10));
  }
}
