package dev.clew;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Base class of everything Clew throws except {@link IllegalArgumentException}. Each message says
 * what is wrong, where, and what to do. Immutable.
 */
@SuppressWarnings("serial") // nobody stores an exception
public abstract sealed class ClewException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean retryable;

  private ClewException(String message, @Nullable Throwable cause, boolean retryable) {
    super(message, cause);
    this.retryable = retryable;
  }

  /** Whether the same call may succeed later if the caller simply repeats it. */
  public boolean retryable() {
    return retryable;
  }

  /** A JSON text that is not a valid item. Nothing was written. */
  public static final class InvalidItem extends ClewException {
    private final int index;

    /** A single item was refused, not one of a batch. */
    public InvalidItem(String message) {
      this(-1, message);
    }

    /** The item at {@code index} of a batch was refused. */
    public InvalidItem(int index, String message) {
      super(index < 0 ? message : "item " + index + ": " + message, null, false);
      this.index = index;
    }

    /** The index of the invalid item in its batch, or -1 if it was not part of one. */
    public int index() {
      return index;
    }
  }

  /** A limit was exceeded. Nothing was written. */
  public static final class LimitExceeded extends ClewException {
    /** Says which limit, its value, and how to change it. */
    public LimitExceeded(String message) {
      super(message, null, false);
    }
  }

  /**
   * The session is not in the state the caller expected. Nothing was written: read, then decide.
   */
  public static final class VersionConflict extends ClewException {
    private final boolean operationReused;

    /** Says what was expected and what was found. */
    public VersionConflict(String message) {
      this(message, false);
    }

    /** As above, with whether the operation id was used for other content before. */
    public VersionConflict(String message, boolean operationReused) {
      super(message, null, false);
      this.operationReused = operationReused;
    }

    /** Whether the operation id was used for other content before. */
    public boolean operationReused() {
      return operationReused;
    }
  }

  /** Another holder has the session's lease, or has taken it over. */
  public static final class SessionBusy extends ClewException {
    /** Says who holds the session and until when. */
    public SessionBusy(String message) {
      super(message, null, true);
    }
  }

  /** The backend is unavailable. Nothing of this call was written. */
  public static final class StoreUnavailable extends ClewException {
    /** Says which backend, what happened and what to do. */
    public StoreUnavailable(String message, @Nullable Throwable cause) {
      this(message, cause, true);
    }

    /** As above, with whether a later attempt may succeed. */
    public StoreUnavailable(String message, @Nullable Throwable cause, boolean retryable) {
      super(message, cause, retryable);
    }
  }

  /**
   * A commit was sent and its answer was lost: it may or may not have taken effect. Repeating it
   * with the same operation id is safe.
   */
  public static final class OutcomeUnknown extends ClewException {
    /** Says which operation. */
    public OutcomeUnknown(String message, @Nullable Throwable cause) {
      super(message, cause, true);
    }
  }

  /** Something stored is damaged and cannot be skipped. */
  public static final class CorruptRecord extends ClewException {
    /** Says what and where; never its content. */
    public CorruptRecord(String message) {
      super(message, null, false);
    }
  }

  /** This store cannot do that; see {@link SessionStore#traits()}. */
  public static final class NotSupported extends ClewException {
    /** Says what is missing and what can be used instead. */
    public NotSupported(String message) {
      super(message, null, false);
    }
  }

  /** The store does not exist, and must not be created. */
  public static final class NoSuchStore extends ClewException {
    /** Says where, and what is there instead. */
    public NoSuchStore(String message) {
      super(message, null, false);
    }
  }

  /** The session or owner is on legal hold. Nothing was removed. */
  public static final class OnHold extends ClewException {
    /** Says what, why and since when. */
    public OnHold(String message) {
      super(message, null, false);
    }
  }

  /** The store was closed. */
  public static final class Closed extends ClewException {
    /** Says which store. */
    public Closed(String message) {
      super(message, null, false);
    }
  }

  /** The model could not answer, or its answer cannot be used. */
  public static final class ModelFailed extends ClewException {
    private enum Why {
      TOO_LONG,
      TOO_LARGE,
      OVERLOADED,
      OTHER
    }

    private final Why why;
    private final @Nullable String refusal;

    /** Says which model, what happened and what to do. */
    public ModelFailed(String message, @Nullable Throwable cause, boolean retryable) {
      this(message, cause, retryable, Why.OTHER, null);
    }

    private ModelFailed(
        String message,
        @Nullable Throwable cause,
        boolean retryable,
        Why why,
        @Nullable String refusal) {
      super(message, cause, retryable);
      this.why = why;
      this.refusal = refusal;
    }

    /** A request that is longer than the model's context window. */
    public static ModelFailed tooLong(String message, @Nullable Throwable cause) {
      return new ModelFailed(message, cause, false, Why.TOO_LONG, null);
    }

    /** A request with more bytes than the model's server takes. */
    public static ModelFailed tooLarge(String message, @Nullable Throwable cause) {
      return new ModelFailed(message, cause, false, Why.TOO_LARGE, null);
    }

    /** A model that has too much to do at the moment. */
    public static ModelFailed overloaded(String message, @Nullable Throwable cause) {
      return new ModelFailed(message, cause, true, Why.OVERLOADED, null);
    }

    /**
     * A request that the provider refuses for what is in it.
     *
     * @param refusal what the provider says is wrong, fit to be shown to whoever asked
     */
    public static ModelFailed refused(String message, String refusal, @Nullable Throwable cause) {
      return new ModelFailed(message, cause, false, Why.OTHER, refusal);
    }

    /** What the provider says is wrong with the request, if that is why it failed. */
    public Optional<String> refusal() {
      return Optional.ofNullable(refusal);
    }

    /** Whether the request was longer than the model's context window. */
    public boolean isTooLong() {
      return why == Why.TOO_LONG;
    }

    /** Whether the request had more bytes than the model's server takes. */
    public boolean isTooLarge() {
      return why == Why.TOO_LARGE;
    }

    /** Whether the model has too much to do at the moment. */
    public boolean isOverloaded() {
      return why == Why.OVERLOADED;
    }
  }

  /** The other side does not accept the caller's credentials. */
  public static final class Unauthorized extends ClewException {
    /** Says who refused and which setting to look at; never a secret. */
    public Unauthorized(String message, @Nullable Throwable cause) {
      super(message, cause, false);
    }
  }

  /** The other side limits the rate of calls. */
  public static final class RateLimited extends ClewException {
    /** Says who, and when to retry if that is known. */
    public RateLimited(String message, @Nullable Throwable cause) {
      super(message, cause, true);
    }
  }

  /** A run exceeded its limit of turns. What it did so far is stored. */
  public static final class MaxTurnsExceeded extends ClewException {
    /** Says how many and how to change it. */
    public MaxTurnsExceeded(String message) {
      super(message, null, false);
    }
  }

  /** A guardrail stopped a run. */
  public static final class GuardrailTripped extends ClewException {
    private final String guardrail;

    /** Says which guardrail and its reason. */
    public GuardrailTripped(String guardrail, String message) {
      super(message, null, false);
      this.guardrail = guardrail;
    }

    /** The name of the guardrail. */
    public String guardrail() {
      return guardrail;
    }
  }
}
