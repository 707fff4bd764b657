package dev.clew;

import org.jspecify.annotations.Nullable;

/**
 * The family of everything Clew throws beside {@link IllegalArgumentException}. Each message says
 * what was wrong, where, and what to do.
 */
public abstract sealed class ClewException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean retryable;

  private ClewException(String message, @Nullable Throwable cause, boolean retryable) {
    super(message, cause);
    this.retryable = retryable;
  }

  /** Whether the same call may succeed later without anything being changed by the caller. */
  public boolean retryable() {
    return retryable;
  }

  /** A document that is not an acceptable item. Nothing was written. */
  public static final class InvalidItem extends ClewException {
    private static final long serialVersionUID = 1L;
    private final int index;

    /** An item that was refused by itself, not as part of a batch. */
    public InvalidItem(String message) {
      this(-1, message);
    }

    /** The item at {@code index} of a batch was refused. */
    public InvalidItem(int index, String message) {
      super(index < 0 ? message : "item " + index + ": " + message, null, false);
      this.index = index;
    }

    /** The index of the bad item in its batch, or -1 when it was not part of one. */
    public int index() {
      return index;
    }
  }

  /** A named limit was passed. Nothing was written. */
  public static final class LimitExceeded extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says which limit, its value, and how to change it. */
    public LimitExceeded(String message) {
      super(message, null, false);
    }
  }

  /**
   * The session is not in the state the caller expected. Nothing was written: read, then decide.
   */
  public static final class VersionConflict extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says what was expected and what was found. */
    public VersionConflict(String message) {
      super(message, null, false);
    }
  }

  /** Somebody else holds the session's lease, or has taken over the one that was held. */
  public static final class SessionBusy extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says who holds the session and until when. */
    public SessionBusy(String message) {
      super(message, null, true);
    }
  }

  /** The backend cannot be used now. Nothing of this call was written. */
  public static final class StoreUnavailable extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says which backend, what happened and what to do. */
    public StoreUnavailable(String message, @Nullable Throwable cause) {
      this(message, cause, true);
    }

    /** As above, with whether a later try may succeed. */
    public StoreUnavailable(String message, @Nullable Throwable cause, boolean retryable) {
      super(message, cause, retryable);
    }
  }

  /**
   * A commit was sent and its answer was lost: it may or may not have taken effect. Repeating it
   * with the same operation id is safe.
   */
  public static final class OutcomeUnknown extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says which operation. */
    public OutcomeUnknown(String message, @Nullable Throwable cause) {
      super(message, cause, true);
    }
  }

  /** A stored record is damaged and was asked for by name. */
  public static final class CorruptRecord extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says which record; never its content. */
    public CorruptRecord(String message) {
      super(message, null, false);
    }
  }

  /** This backend cannot do that; see {@link SessionStore#capabilities()}. */
  public static final class NotSupported extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says what is missing and what can be used instead. */
    public NotSupported(String message) {
      super(message, null, false);
    }
  }

  /** There is no store where one was looked for, and none was to be made. */
  public static final class NoSuchStore extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says where it was looked for and what is there instead. */
    public NoSuchStore(String message) {
      super(message, null, false);
    }
  }

  /** It is on legal hold. Nothing was removed. */
  public static final class OnHold extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says what, why and since when. */
    public OnHold(String message) {
      super(message, null, false);
    }
  }

  /** The store was closed. */
  public static final class Closed extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says which store. */
    public Closed(String message) {
      super(message, null, false);
    }
  }

  /** The model could not answer, or what it answered cannot be used. */
  public static final class ModelFailed extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says which model, what happened and what to do. */
    public ModelFailed(String message, @Nullable Throwable cause, boolean retryable) {
      super(message, cause, retryable);
    }
  }

  /** The other side does not know or not trust the caller. */
  public static final class Unauthorized extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says who refused and which setting to look at; never a secret. */
    public Unauthorized(String message, @Nullable Throwable cause) {
      super(message, cause, false);
    }
  }

  /** The other side asks for fewer calls. */
  public static final class RateLimited extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says who, and when to try again if that is known. */
    public RateLimited(String message, @Nullable Throwable cause) {
      super(message, cause, true);
    }
  }

  /** A run took more turns than it may. What it did until then is stored. */
  public static final class MaxTurnsExceeded extends ClewException {
    private static final long serialVersionUID = 1L;

    /** Says how many and how to change it. */
    public MaxTurnsExceeded(String message) {
      super(message, null, false);
    }
  }

  /** A guardrail stopped a run. */
  public static final class GuardrailTripped extends ClewException {
    private static final long serialVersionUID = 1L;
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
