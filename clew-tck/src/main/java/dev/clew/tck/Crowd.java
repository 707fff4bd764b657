package dev.clew.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Lets several threads do something at the same time. Stateless. */
final class Crowd {
  private static final ThreadFactory DAEMONS =
      task -> {
        Thread thread = new Thread(task, "clew-tck");
        thread.setDaemon(true);
        return thread;
      };

  /** Threads for asynchronous sessions; they end by themselves when idle. */
  static final ExecutorService EXECUTOR = Executors.newCachedThreadPool(DAEMONS);

  private Crowd() {}

  /**
   * Runs the task once for each number below {@code size}, all released together; what they
   * returned, by number. The first failure is thrown.
   */
  static <T> List<T> of(int size, IntFunction<T> task) {
    return of(size, Await.LONG_DEADLINE, () -> size + " threads at once", task);
  }

  /** The same within a time, with what to say if it takes longer. */
  static <T> List<T> of(int size, Duration time, Supplier<String> progress, IntFunction<T> task) {
    CountDownLatch ready = new CountDownLatch(size);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int number = i;
      running.add(
          EXECUTOR.submit(
              () -> {
                ready.countDown();
                Await.open("all threads started", ready);
                return task.apply(number);
              }));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : running) {
      results.add(Await.value(time, progress, one));
    }
    return results;
  }
}
