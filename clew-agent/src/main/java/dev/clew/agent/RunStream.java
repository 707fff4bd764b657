package dev.clew.agent;

import dev.clew.ClewException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A run in progress, whose events can be read as they happen. Thread-safe; the events go to one
 * reader.
 *
 * <pre>{@code
 * try (RunStream stream = runner.runStreamed(agent, "Hello", session)) {
 *   for (RunEvent event : stream) {
 *     if (event instanceof RunEvent.TextDelta delta) System.out.print(delta.text());
 *   }
 *   RunResult result = stream.result();
 * }
 * }</pre>
 *
 * <p>The run waits for its reader when more than {@value #CAPACITY} events are unread, so a slow
 * reader costs no memory. Closing it before its end cancels the run.
 */
public final class RunStream implements Iterable<RunEvent>, AutoCloseable {
  static final int CAPACITY = 256;

  private final Cancellation cancellation;
  private final Queue<RunEvent> unread = new ArrayDeque<>();
  private final CompletableFuture<RunResult> result = new CompletableFuture<>();
  private boolean ended;
  private boolean nobodyReads;

  RunStream(Cancellation cancellation) {
    this.cancellation = cancellation;
  }

  synchronized void publish(RunEvent event) {
    while (unread.size() >= CAPACITY && !nobodyReads && !cancellation.isCancelled()) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return; // cancelled; the run finds out by itself
      }
    }
    if (!nobodyReads) {
      unread.add(event);
      notifyAll();
    }
  }

  void complete(RunResult value) {
    end();
    result.complete(value);
  }

  void fail(Throwable error) {
    end();
    result.completeExceptionally(error);
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** The events, in order, each once, until the run ends. If it fails, result() throws. */
  @Override
  public Iterator<RunEvent> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return awaitEvent();
      }

      @Override
      public RunEvent next() {
        return take();
      }
    };
  }

  private synchronized boolean awaitEvent() {
    while (unread.isEmpty() && !ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return !unread.isEmpty();
  }

  private synchronized RunEvent take() {
    @Nullable RunEvent event = awaitEvent() ? unread.poll() : null;
    if (event == null) {
      throw new NoSuchElementException("the run has ended");
    }
    notifyAll();
    return event;
  }

  /**
   * The result of the run; waits for it. Unread events are dropped.
   *
   * @throws ClewException what the run failed with
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  public RunResult result() {
    stopReading();
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private synchronized void stopReading() {
    nobodyReads = true;
    unread.clear();
    notifyAll();
  }

  /** Ends the run soon. What was completed is stored, and the text so far, marked incomplete. */
  public void cancel() {
    cancellation.cancel();
    synchronized (this) {
      notifyAll();
    }
  }

  /** Cancels the run unless it is over, and waits for its end. */
  @Override
  public void close() {
    if (!result.isDone()) {
      cancel();
      stopReading();
      result.handle((value, error) -> true).join();
    }
  }
}
