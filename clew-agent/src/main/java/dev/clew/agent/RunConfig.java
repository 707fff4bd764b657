package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionSettings;
import dev.clew.Window;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a run is done. Immutable; each method returns another one.
 *
 * <pre>{@code
 * RunConfig.DEFAULT.session(session).window(Window.lastTurns(20)).maxTurns(5)
 * }</pre>
 */
public final class RunConfig {
  /** No session, ten turns. */
  public static final RunConfig DEFAULT = new RunConfig();

  private @Nullable Session session;
  private @Nullable Window window;
  private @Nullable SessionSettings sessionSettings;
  private @Nullable BinaryOperator<List<Item>> sessionInputCallback;
  UnaryOperator<ModelRequest> modelInputFilter = UnaryOperator.identity();
  int maxTurns = 10;
  private @Nullable String conversationId;
  private @Nullable String previousResponseId;
  private @Nullable String operationId;
  @Nullable Object attachment;
  Consumer<RunEvent> listener = event -> {};
  private @Nullable Runnable whenTurnBegins;
  Duration turnWait = Duration.ofSeconds(30);
  Duration leaseLife = Duration.ofSeconds(30);
  String model = "";
  Map<String, Object> notes = Map.of();
  ModelSettings modelSettings = ModelSettings.DEFAULT;

  /* Within the package fields are read directly. Only with() sets them. */

  private RunConfig() {}

  /** This one with a change. */
  private RunConfig with(Consumer<RunConfig> change) {
    RunConfig copy = new RunConfig();
    copy.session = session;
    copy.window = window;
    copy.sessionSettings = sessionSettings;
    copy.sessionInputCallback = sessionInputCallback;
    copy.modelInputFilter = modelInputFilter;
    copy.maxTurns = maxTurns;
    copy.conversationId = conversationId;
    copy.previousResponseId = previousResponseId;
    copy.operationId = operationId;
    copy.attachment = attachment;
    copy.listener = listener;
    copy.whenTurnBegins = whenTurnBegins;
    copy.turnWait = turnWait;
    copy.leaseLife = leaseLife;
    copy.model = model;
    copy.notes = notes;
    copy.modelSettings = modelSettings;
    change.accept(copy);
    return copy;
  }

  /** The conversation the run belongs to: loaded before it, stored step by step. */
  public RunConfig session(Session value) {
    return with(copy -> copy.session = value);
  }

  /** How much of the history the model is shown. */
  public RunConfig window(Window value) {
    return with(copy -> copy.window = value);
  }

  /** How the session is read for this run, if there is no window. */
  public RunConfig sessionSettings(SessionSettings value) {
    return with(copy -> copy.sessionSettings = value);
  }

  /**
   * What the model is shown, worked out from the history and the new items. Of what it returns only
   * the items of this turn are stored, each once; the history is not stored again.
   */
  public RunConfig sessionInputCallback(BinaryOperator<List<Item>> value) {
    return with(copy -> copy.sessionInputCallback = value);
  }

  /** Changes each request just before the model gets it; nothing of that is stored. */
  public RunConfig modelInputFilter(UnaryOperator<ModelRequest> value) {
    return with(copy -> copy.modelInputFilter = value);
  }

  /** How often the model may be asked; 10 by default. */
  public RunConfig maxTurns(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("a run has at least 1 turn, not " + value);
    }
    return with(copy -> copy.maxTurns = value);
  }

  /** The conversation at the provider that holds the history, instead of a session. */
  public RunConfig conversationId(String value) {
    return with(copy -> copy.conversationId = value);
  }

  /** The response at the provider that this run follows, instead of a session. */
  public RunConfig previousResponseId(String value) {
    return with(copy -> copy.previousResponseId = value);
  }

  /**
   * What the caller calls this turn, such as a messenger's message id. A turn that was stored under
   * it before is not done again: its answer is returned.
   */
  public RunConfig operationId(String value) {
    return with(copy -> copy.operationId = value);
  }

  /** What tools and instructions get by {@link RunContext#attachment}. */
  public RunConfig attachment(Object value) {
    return with(copy -> copy.attachment = value);
  }

  /** Receives events, on the thread where they happen: for traces and logs. */
  public RunConfig listener(Consumer<RunEvent> value) {
    return with(copy -> copy.listener = value);
  }

  /**
   * Called once, when the run has exclusive use of its session and has not read or written
   * anything: the place to change the session before this turn. What it throws ends the run.
   */
  public RunConfig whenTurnBegins(Runnable value) {
    return with(copy -> copy.whenTurnBegins = value);
  }

  /** How long to wait for another run on the same session; half a minute unless said otherwise. */
  public RunConfig turnWait(Duration value) {
    return with(copy -> copy.turnWait = value);
  }

  /** How long the session stays locked if this process dies; half a minute by default. */
  public RunConfig leaseLife(Duration value) {
    return with(copy -> copy.leaseLife = value);
  }

  /** The model for agents that do not name one. */
  public RunConfig model(String value) {
    return with(copy -> copy.model = value);
  }

  /** Notes that are stored with each answer of the model, in addition to those of the runner. */
  public RunConfig notes(Map<String, Object> value) {
    Map<String, Object> fixed = Map.copyOf(value);
    return with(copy -> copy.notes = fixed);
  }

  /** Settings on top of those of the agents. */
  public RunConfig modelSettings(ModelSettings value) {
    return with(copy -> copy.modelSettings = value);
  }

  /** The same for a run with a history of its own. */
  RunConfig withoutHistory() {
    return with(
        copy -> {
          copy.session = null;
          copy.window = null;
          copy.sessionSettings = null;
          copy.sessionInputCallback = null;
          copy.conversationId = null;
          copy.previousResponseId = null;
          copy.operationId = null;
          copy.whenTurnBegins = null;
        });
  }

  Optional<Session> session() {
    return Optional.ofNullable(session);
  }

  Optional<Window> window() {
    return Optional.ofNullable(window);
  }

  Optional<SessionSettings> sessionSettings() {
    return Optional.ofNullable(sessionSettings);
  }

  Optional<BinaryOperator<List<Item>>> sessionInputCallback() {
    return Optional.ofNullable(sessionInputCallback);
  }

  Optional<String> conversationId() {
    return Optional.ofNullable(conversationId);
  }

  Optional<String> previousResponseId() {
    return Optional.ofNullable(previousResponseId);
  }

  Optional<String> operationId() {
    return Optional.ofNullable(operationId);
  }

  Optional<Runnable> whenTurnBegins() {
    return Optional.ofNullable(whenTurnBegins);
  }
}
