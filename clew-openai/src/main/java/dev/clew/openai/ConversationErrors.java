package dev.clew.openai;

import dev.clew.ClewException;
import dev.clew.openai.ApiFailure.Kind;

/** Failures of calls as the exceptions of a session. Stateless. */
final class ConversationErrors {
  private ConversationErrors() {}

  /** A call that changes nothing failed, or one that can be repeated. */
  static ClewException reading(ApiFailure failure, String session) {
    String message = message(failure, session);
    return failure.toClew(
        message,
        () ->
            new ClewException.StoreUnavailable(
                message + (failure.mayPass() ? "; try again later" : ""),
                failure.getCause(),
                failure.mayPass()));
  }

  /** A call that changes the conversation failed. */
  static ClewException writing(ApiFailure failure, String session) {
    boolean answered = failure.kind() == Kind.REFUSED && failure.status() < 500;
    if (failure.kind() != Kind.UNREACHABLE && (!answered || failure.status() == 408)) {
      return new ClewException.OutcomeUnknown(
          message(failure, session)
              + "; the change may have been made: read the session before repeating it",
          failure.getCause());
    }
    if (failure.isNotFound()) {
      return new ClewException.StoreUnavailable(
          message(failure, session)
              + "; it was deleted or belongs to another account. Clear the session to start a new one",
          failure.getCause(),
          false);
    }
    if (!failure.isLocked()
        && (failure.status() == 400 || failure.status() == 413 || failure.status() == 422)) {
      return new ClewException.InvalidItem(message(failure, session));
    }
    return reading(failure, session);
  }

  private static String message(ApiFailure failure, String session) {
    return session + " " + failure.what();
  }
}
