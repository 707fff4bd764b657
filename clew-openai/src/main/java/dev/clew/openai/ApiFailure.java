package dev.clew.openai;

import dev.clew.ClewException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call of the API that failed, before it becomes the exception of a model or of a session. */
final class ApiFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  enum Kind {
    /** The server said no; {@link #status} says which no, 0 if it said so within a stream. */
    REFUSED,
    /** Nothing was sent. */
    UNREACHABLE,
    /** Something was sent and no whole answer came back. */
    LOST,
    /** An answer came that cannot be read. */
    MALFORMED,
    /** The thread that waited was interrupted. */
    INTERRUPTED
  }

  private final Kind kind;
  private final int status;
  private final String code;
  private final String said;

  ApiFailure(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, 0, "", message, "", cause);
  }

  ApiFailure(
      Kind kind, int status, String code, String message, String said, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.said = said;
  }

  static ApiFailure malformed(String what) {
    return new ApiFailure(Kind.MALFORMED, "sent " + what, null);
  }

  Kind kind() {
    return kind;
  }

  int status() {
    return status;
  }

  /** The server's own word for the error, such as {@code conversation_locked}; may be empty. */
  String code() {
    return code;
  }

  /** What happened, as the end of a sentence that begins with the server's name. */
  String what() {
    return String.valueOf(getMessage());
  }

  /** What the server said itself; may be empty. */
  String said() {
    return said;
  }

  boolean isLocked() {
    return code.equals("conversation_locked");
  }

  boolean isNotFound() {
    return status == 404;
  }

  /** Whether the same call may succeed later. */
  boolean mayPass() {
    return kind != Kind.REFUSED
        || status >= 500
        || status == 408
        || status == 409
        || code.equals("server_error");
  }

  /**
   * The exception for this failure.
   *
   * @param message names the server and the failure
   * @param otherwise the exception for other failures than those of access, rate and locks
   */
  ClewException toClew(String message, Supplier<ClewException> otherwise) {
    if (status == 401 || status == 403) {
      return new ClewException.Unauthorized(
          message + "; check the API key, organization and project", getCause());
    } else if (status == 429 || code.startsWith("rate_limit")) {
      return new ClewException.RateLimited(message + "; send less, or later", getCause());
    }
    return isLocked() ? new ClewException.SessionBusy(message) : otherwise.get();
  }
}
