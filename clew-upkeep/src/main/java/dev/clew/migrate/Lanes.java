package dev.clew.migrate;

import dev.clew.kit.Daemons;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A few threads that copy sessions side by side, so that the answers of a server are waited for
 * together. Used by one thread.
 */
final class Lanes implements AutoCloseable {
  private static final int COUNT = 8;

  private final Semaphore free = new Semaphore(COUNT);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(COUNT, Daemons.named("clew-migrate"));

  /** Runs a task as soon as a lane is free. */
  void run(Runnable task) {
    free.acquireUninterruptibly();
    if (failure.get() != null) {
      free.release();
      throwFailure();
    }
    threads.execute(
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
          } finally {
            free.release();
          }
        });
  }

  /** Waits until all lanes are free; throws what the first task failed with that failed. */
  void drain() {
    free.acquireUninterruptibly(COUNT);
    free.release(COUNT);
    throwFailure();
  }

  private void throwFailure() {
    Throwable first = failure.get();
    if (first instanceof RuntimeException exception) {
      throw exception;
    }
    if (first instanceof Error error) {
      throw error;
    }
  }

  /** Waits for the tasks that run. */
  @Override
  public void close() {
    free.acquireUninterruptibly(COUNT);
    threads.shutdown();
  }
}
