package dev.clew.agent;

import dev.clew.Session;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Runs agents. Immutable and thread-safe.
 *
 * <pre>{@code
 * Runner runner = Runner.with(model);
 * runner.run(agent, "What city is the Golden Gate Bridge in?", session).finalOutput();
 * runner.run(agent, "What state is it in?", session).finalOutput();
 * }</pre>
 *
 * <p>With a session a run loads the history, and stores the user's input when it is accepted and
 * each step as it completes, so a crash loses at most the step in flight. Two runs on one session
 * of a store do not mix: the second waits for the first.
 */
public final class Runner {
  private final Model model;

  private Runner(Model model) {
    this.model = Objects.requireNonNull(model, "model");
  }

  /** A runner that asks this model. */
  public static Runner with(Model model) {
    return new Runner(model);
  }

  Model model() {
    return model;
  }

  /** Runs an agent on a text, without memory. */
  public RunResult run(Agent agent, String text) {
    return run(agent, RunInput.text(text), RunConfig.DEFAULT);
  }

  /** Runs an agent on a text, as the next turn of a session. */
  public RunResult run(Agent agent, String text, Session session) {
    return run(agent, RunInput.text(text), RunConfig.DEFAULT.session(session));
  }

  /** Runs an agent on a text. */
  public RunResult run(Agent agent, String text, RunConfig config) {
    return run(agent, RunInput.text(text), config);
  }

  /** Resumes a run that stopped for a decision, in the session it belongs to. */
  public RunResult run(Agent agent, RunState state, Session session) {
    return run(agent, RunInput.state(state), RunConfig.DEFAULT.session(session));
  }

  /**
   * Runs an agent.
   *
   * @throws dev.clew.ClewException what went wrong; what was completed until then is stored
   */
  public RunResult run(Agent agent, RunInput input, RunConfig config) {
    return loop(agent, config, config.listener, false, new Cancellation()).run(input);
  }

  /** Runs an agent on another thread, as the next turn of a session. */
  public CompletableFuture<RunResult> runAsync(Agent agent, String text, Session session) {
    return runAsync(agent, RunInput.text(text), RunConfig.DEFAULT.session(session));
  }

  /** Runs an agent on another thread. */
  public CompletableFuture<RunResult> runAsync(Agent agent, RunInput input, RunConfig config) {
    return CompletableFuture.supplyAsync(() -> run(agent, input, config), Workers.SHARED);
  }

  /** Runs an agent as the next turn of a session and shows what happens as it happens. */
  public RunStream runStreamed(Agent agent, String text, Session session) {
    return runStreamed(agent, RunInput.text(text), RunConfig.DEFAULT.session(session));
  }

  /** Runs an agent on a text and shows what happens as it happens. */
  public RunStream runStreamed(Agent agent, String text, RunConfig config) {
    return runStreamed(agent, RunInput.text(text), config);
  }

  /** Runs an agent and shows what happens as it happens. */
  public RunStream runStreamed(Agent agent, RunInput input, RunConfig config) {
    Cancellation cancellation = new Cancellation();
    RunStream stream = new RunStream(cancellation);
    Consumer<RunEvent> both = config.listener.andThen(stream::publish);
    Workers.SHARED.execute(
        () -> {
          try {
            stream.complete(loop(agent, config, both, true, cancellation).run(input));
          } catch (Cancellation.Cancelled e) {
            stream.fail(new CancellationException("the run was cancelled"));
          } catch (Throwable e) { // an error too: the reader waits for the end
            stream.fail(e);
          }
        });
    return stream;
  }

  private RunLoop loop(
      Agent agent,
      RunConfig config,
      Consumer<RunEvent> events,
      boolean streamed,
      Cancellation cancellation) {
    return new RunLoop(this, agent, config, events, streamed, cancellation);
  }
}
