package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionSettings;
import dev.clew.Window;
import java.time.Duration;
import java.util.List;
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
  private UnaryOperator<ModelRequest> modelInputFilter = UnaryOperator.identity();
  private int maxTurns = 10;
  private @Nullable String conversationId;
  private @Nullable String previousResponseId;
  private @Nullable String operationId;
  private @Nullable Object attachment;
  private Consumer<RunEvent> listener = event -> {};
  private @Nullable Runnable whenTurnBegins;
  private Duration turnWait = Duration.ofSeconds(30);
  private String model = "";
  private ModelSettings modelSettings = ModelSettings.DEFAULT;

  private RunConfig() {}

  private RunConfig copy() {
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
    copy.model = model;
    copy.modelSettings = modelSettings;
    return copy;
  }

  /** The conversation the run belongs to: loaded before it, stored step by step. */
  public RunConfig session(Session value) {
    RunConfig copy = copy();
    copy.session = value;
    return copy;
  }

  /** How much of the history the model is shown. */
  public RunConfig window(Window value) {
    RunConfig copy = copy();
    copy.window = value;
    return copy;
  }

  /** How the session is read for this run, if there is no window. */
  public RunConfig sessionSettings(SessionSettings value) {
    RunConfig copy = copy();
    copy.sessionSettings = value;
    return copy;
  }

  /**
   * What the model is shown, worked out from the history and the new items. Of what it returns only
   * the items of this turn are stored, each once; the history is not stored again.
   */
  public RunConfig sessionInputCallback(BinaryOperator<List<Item>> value) {
    RunConfig copy = copy();
    copy.sessionInputCallback = value;
    return copy;
  }

  /** Changes each request just before the model gets it; nothing of that is stored. */
  public RunConfig modelInputFilter(UnaryOperator<ModelRequest> value) {
    RunConfig copy = copy();
    copy.modelInputFilter = value;
    return copy;
  }

  /** How often the model may be asked; 10 by default. */
  public RunConfig maxTurns(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("a run has at least 1 turn, not " + value);
    }
    RunConfig copy = copy();
    copy.maxTurns = value;
    return copy;
  }

  /** The conversation at the provider that holds the history, instead of a session. */
  public RunConfig conversationId(String value) {
    RunConfig copy = copy();
    copy.conversationId = value;
    return copy;
  }

  /** The response at the provider that this run follows, instead of a session. */
  public RunConfig previousResponseId(String value) {
    RunConfig copy = copy();
    copy.previousResponseId = value;
    return copy;
  }

  /**
   * What the caller calls this turn, such as a messenger's message id. A turn that was stored under
   * it before is not done again: its answer is returned.
   */
  public RunConfig operationId(String value) {
    RunConfig copy = copy();
    copy.operationId = value;
    return copy;
  }

  /** What tools and instructions get by {@link RunContext#attachment}. */
  public RunConfig attachment(Object value) {
    RunConfig copy = copy();
    copy.attachment = value;
    return copy;
  }

  /** Receives events, on the thread where they happen: for traces and logs. */
  public RunConfig listener(Consumer<RunEvent> value) {
    RunConfig copy = copy();
    copy.listener = value;
    return copy;
  }

  /**
   * Called once, when the run has its session for itself and has neither read nor written anything:
   * the place to change the session before this turn. What it throws ends the run.
   */
  public RunConfig whenTurnBegins(Runnable value) {
    RunConfig copy = copy();
    copy.whenTurnBegins = value;
    return copy;
  }

  /** How long to wait for another run on the same session; half a minute unless said otherwise. */
  public RunConfig turnWait(Duration value) {
    RunConfig copy = copy();
    copy.turnWait = value;
    return copy;
  }

  /** The model for agents that do not name one. */
  public RunConfig model(String value) {
    RunConfig copy = copy();
    copy.model = value;
    return copy;
  }

  /** Settings on top of those of the agents. */
  public RunConfig modelSettings(ModelSettings value) {
    RunConfig copy = copy();
    copy.modelSettings = value;
    return copy;
  }

  /** The same for a run with a history of its own. */
  RunConfig withoutHistory() {
    RunConfig copy = copy();
    copy.session = null;
    copy.window = null;
    copy.sessionSettings = null;
    copy.sessionInputCallback = null;
    copy.conversationId = null;
    copy.previousResponseId = null;
    copy.operationId = null;
    copy.whenTurnBegins = null;
    return copy;
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

  UnaryOperator<ModelRequest> modelInputFilter() {
    return modelInputFilter;
  }

  int maxTurns() {
    return maxTurns;
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

  @Nullable Object attachment() {
    return attachment;
  }

  Consumer<RunEvent> listener() {
    return listener;
  }

  Optional<Runnable> whenTurnBegins() {
    return Optional.ofNullable(whenTurnBegins);
  }

  Duration turnWait() {
    return turnWait;
  }

  String model() {
    return model;
  }

  ModelSettings modelSettings() {
    return modelSettings;
  }
}
