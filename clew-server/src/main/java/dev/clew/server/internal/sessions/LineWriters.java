package dev.clew.server.internal.sessions;

import dev.clew.ClewException;
import dev.clew.kit.Daemons;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads of an import: a few, because stores commit together what comes at the same time. Fed
 * by one thread, which waits while they hold as much as they may.
 */
final class LineWriters implements AutoCloseable {
  private static final int WRITERS = 8;

  /** What a line takes besides its text, so that very many short ones are bounded too. */
  static final int EACH = 1 << 10;

  private final ExecutorService writers =
      Executors.newFixedThreadPool(WRITERS, Daemons.named("clew-import"));
  private final int most;
  private final Semaphore room;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * For one import.
   *
   * @param most how many characters they hold; a longer line is held alone
   */
  LineWriters(int most) {
    this.most = most;
    this.room = new Semaphore(most);
  }

  /**
   * Works on a line soon.
   *
   * @throws RuntimeException if work on an earlier one failed
   */
  void begin(String line, Runnable work) {
    check();
    int size = Math.min(line.length() + EACH, most);
    room.acquireUninterruptibly(size);
    writers.execute(
        () -> {
          try {
            work.run();
          } catch (Throwable e) { // told to who feeds the lines
            failure.compareAndSet(null, e);
          } finally {
            room.release(size);
          }
        });
  }

  private void check() {
    Throwable failed = failure.get();
    if (failed instanceof ClewException known) {
      throw known;
    }
    if (failed != null) {
      throw new IllegalStateException(failed);
    }
  }

  /**
   * Waits until everything is done.
   *
   * @throws RuntimeException if something failed
   */
  void await() {
    room.acquireUninterruptibly(most);
    check();
  }

  @Override
  public void close() {
    writers.shutdown();
  }
}
