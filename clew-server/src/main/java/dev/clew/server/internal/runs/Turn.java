package dev.clew.server.internal.runs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One turn, whichever API asked for it. Each API has a subclass that says what its steps do; {@link
 * TurnEngine} takes them in this order: {@link #announce}, {@link #answer}, {@link #commit}, {@link
 * #end}, {@link #publish}. The steps of a turn are never taken at the same time, but not all by the
 * same thread. Everything that is public is thread-safe.
 */
public abstract class Turn {
  private final Name name;
  private final Stop stop = new Stop();
  private final CompletableFuture<String> result = new CompletableFuture<>();

  /**
   * What a turn is called. Immutable.
   *
   * @param api which API it is for, in metrics
   * @param owner whose it is
   * @param id its id, which no other turn of the owner has
   * @param conversation what it belongs to, in traces
   */
  public record Name(String api, String owner, String id, String conversation) {}

  /**
   * How a turn ended. Immutable.
   *
   * @param json the last thing that is said about it
   * @param failure why it has no answer; null if it has one
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

  /** The reply as JSON when the turn is over, or why there is none. */
  public final CompletableFuture<String> result() {
    return result;
  }

  /** Ends the turn soon; the first reason counts. */
  public final void stop(Stop.Reason reason) {
    stop.stop(reason);
  }

  /** What the steps ask whether they should go on. */
  protected final Stop stop() {
    return stop;
  }

  /**
   * Writes down that the turn begins, if anybody may ask for it before it is over. The thread that
   * starts the turn does it, so whoever starts it gets the failure.
   */
  protected void announce() {}

  /**
   * Takes the session if that was not done before, reads what the model is shown, asks the model
   * and runs its tools. Events are published as they come.
   */
  protected abstract void answer();

  /** Writes what is not yet written. It may be done later, without a thread that waits. */
  protected CompletableFuture<Void> commit() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Gives the session free and notes what was used.
   *
   * @param failure why there is no answer; null if there is one and it is written
   */
  protected abstract Ending end(@Nullable Throwable failure);

  /** Publishes how the turn ended. */
  protected abstract void publish(Ending ending);

  /** Whether somebody has asked, at any server of the store, that it stops. Asked now and then. */
  protected abstract boolean isToStop();

  /** Takes the steps. The result may be there a little later. */
  final void run(Runnable whenEnded) {
    CompletableFuture<Void> written;
    try {
      answer();
      written = commit();
    } catch (Throwable e) { // an error too: somebody waits for the end
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
