package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Await;
import dev.clew.ClewException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private static final class Work extends GroupCommit.Job {}

  private final GroupCommit<Work> group =
      new GroupCommit<>(
          batch -> batch.forEach(work -> work.finish(null)),
          () -> new ClewException.StoreUnavailable("closed", null, false));

  /** It was: a pause before the next commit then took no time at all, and others starved. */
  @Test
  void aThreadThatCommittedForItselfIsNotLeftWithAWakeUpCall() throws Exception {
    AtomicBoolean called = new AtomicBoolean();
    AtomicBoolean calledBeforeItWentOn = new AtomicBoolean();
    Object pause = new Object();
    Thread thread =
        new Thread(
            () -> {
              group.run(new Work());
              LockSupport.park(pause);
              calledBeforeItWentOn.set(called.get());
            });
    thread.start();
    Await.until(
        "it pauses, or has ended",
        () -> LockSupport.getBlocker(thread) == pause || !thread.isAlive());
    called.set(true);
    LockSupport.unpark(thread);
    thread.join();
    assertThat(calledBeforeItWentOn).isTrue();
  }

  @Test
  void aCommitThatRunsOutOfMemory_isHeardOf_andTheNextOneWorks() throws Exception {
    AtomicInteger commits = new AtomicInteger();
    GroupCommit<Work> failing =
        new GroupCommit<>(
            batch -> {
              if (commits.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("of a test");
              }
              batch.forEach(work -> work.finish(null));
            },
            () -> new ClewException.StoreUnavailable("closed", null, false));
    Work first = new Work();
    CountDownLatch told = new CountDownLatch(1);
    failing.submit(first, told::countDown);
    assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(first.failure()).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> failing.run(new Work())).isInstanceOf(OutOfMemoryError.class);
    Work last = new Work();
    CountDownLatch done = new CountDownLatch(1);
    failing.submit(last, done::countDown);
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(last.failure()).isNull();
    failing.close();
  }

  @Test
  void whoWaitsAndWhoDoesNot_areAllServed_inOneOrder() throws Exception {
    List<Work> committed = Collections.synchronizedList(new ArrayList<>());
    GroupCommit<Work> counting =
        new GroupCommit<>(
            batch -> {
              committed.addAll(batch);
              batch.forEach(work -> work.finish(null));
            },
            () -> new ClewException.StoreUnavailable("closed", null, false));
    int each = 2_000;
    CountDownLatch calledBack = new CountDownLatch(4 * each);
    List<Work> submitted = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        boolean first = t == 0;
        running.add(threads.submit(() -> waitForEach(counting, each)));
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    Work work = new Work();
                    if (first) {
                      submitted.add(work);
                    }
                    counting.submit(work, calledBack::countDown);
                  }
                }));
      }
      for (Future<?> one : running) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(calledBack.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      threads.shutdownNow();
    }
    assertThat(committed).hasSize(8 * each).doesNotHaveDuplicates();
    assertThat(committed.stream().filter(submitted::contains).limit(50).toList())
        .isEqualTo(submitted.subList(0, 50));
    counting.close();
  }

  private static void waitForEach(GroupCommit<Work> group, int times) {
    for (int i = 0; i < times; i++) {
      group.run(new Work());
    }
  }

  @Test
  void whatWasSubmittedBeforeTheEnd_isCalledBack() throws Exception {
    CountDownLatch calledBack = new CountDownLatch(100);
    for (int i = 0; i < 100; i++) {
      group.submit(new Work(), calledBack::countDown);
    }
    group.close();
    assertThat(calledBack.await(60, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> group.submit(new Work(), () -> {}))
        .isInstanceOf(ClewException.StoreUnavailable.class);
  }
}
