package dev.clew.server.internal.runs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One turn of any API. Its public methods are thread-safe. Each API has a subclass; {@link
 * TurnEngine} runs its steps in this order: {@link #announce}, {@link #answer}, {@link #commit},
 * {@link #end}, {@link #publish}. Steps never overlap, but may run on different threads.
 */
public abstract class Turn {
  private final Name name;
  private final Stop stop = new Stop();
  private final CompletableFuture<String> result = new CompletableFuture<>();

  /**
   * The name of a turn. Immutable.
   *
   * @param api the API in metrics
   * @param id unique within the owner
   * @param conversation the session in traces
   */
  public record Name(String api, String owner, String id, String conversation) {}

  /**
   * The end of a turn. Immutable.
   *
   * @param json the final JSON
   * @param failure why there is no answer; null if there is one
   */
  public record Ending(String json, @Nullable Throwable failure) {}

  protected Turn(Name name) {
    this.name = name;
  }

  public final Name name() {
    return name;
  }

  public final String id() {
    return name.id();
  }

  /** The reply as JSON when the turn is over, or the failure. */
  public final CompletableFuture<String> result() {
    return result;
  }

  /** Stops the turn soon; the first reason counts. */
  public final void stop(Stop.Reason reason) {
    stop.stop(reason);
  }

  protected final Stop stop() {
    return stop;
  }

  /**
   * Stores that the turn begins, if others may ask for it before it is over. It runs on the thread
   * that starts the turn, which gets the failure.
   */
  protected void announce() {}

  /**
   * Locks the session unless it is locked, reads the context, asks the model and runs its tools.
   * Publishes events as they come.
   */
  protected abstract void answer();

  /** Stores what is not stored yet, perhaps asynchronously. */
  protected CompletableFuture<Void> commit() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Unlocks the session and records the usage.
   *
   * @param failure why there is no answer; null if there is one and it is stored
   */
  protected abstract Ending end(@Nullable Throwable failure);

  protected abstract void publish(Ending ending);

  /** Whether any server of the store was asked to stop the turn. Called regularly. */
  protected abstract boolean isToStop();

  /** Runs the steps. The result may come a little later. */
  final void run(Runnable whenEnded) {
    CompletableFuture<Void> written;
    try {
      answer();
      written = commit();
    } catch (Throwable e) { // errors too: somebody waits for the end
      written = CompletableFuture.failedFuture(e);
    }
    var unused = written.whenComplete((nothing, failure) -> finish(failure, whenEnded));
  }

  private void finish(@Nullable Throwable raised, Runnable whenEnded) {
    Throwable failure =
        raised instanceof CompletionException && raised.getCause() != null
            ? raised.getCause()
            : raised;
    Ending ending;
    try {
      ending = end(failure);
    } catch (Throwable e) {
      ending = new Ending("{}", e);
    }
    try {
      publish(ending);
    } finally {
      whenEnded.run();
      Throwable why = ending.failure();
      if (why == null) {
        result.complete(ending.json());
      } else {
        result.completeExceptionally(why);
      }
    }
  }
}
