package dev.clew.openai;

import dev.clew.ClewException;
import java.util.regex.Pattern;

/** Failures of calls as the exceptions of a model. Stateless. */
final class ModelErrors {
  private static final Pattern TOO_LONG =
      Pattern.compile("(?i)(maximum|exceeds?|available)[^.]{0,40} context (length|size|window)");

  private ModelErrors() {}

  static ClewException of(ApiFailure failure, String model, Api api) {
    String message =
        (model.isEmpty() ? "the model" : "model '" + model + "'")
            + " at "
            + api.place()
            + " "
            + api.withoutKey(failure.what());
    return failure.toClew(message, () -> failed(failure, message));
  }

  private static ClewException failed(ApiFailure failure, String message) {
    Throwable cause = failure.getCause();
    if (isTooLong(failure)) {
      return ClewException.ModelFailed.tooLong(
          message + "; send less, or compact the session", cause);
    }
    return switch (failure.status()) {
      case 413 -> ClewException.ModelFailed.tooLarge(message + "; send less", cause);
      case 503, 529 -> ClewException.ModelFailed.overloaded(message + remedy(failure), cause);
      default -> new ClewException.ModelFailed(message + remedy(failure), cause, failure.mayPass());
    };
  }

  /** OpenAI has a code for it; others say it in words. */
  private static boolean isTooLong(ApiFailure failure) {
    return failure.code().equals("context_length_exceeded")
        || (failure.status() == 400 && TOO_LONG.matcher(failure.what()).find());
  }

  private static String remedy(ApiFailure failure) {
    if (failure.isNotFound()) {
      return "; check the name of the model and the base URL";
    }
    return failure.mayPass() ? "; try again later" : "; change the request";
  }
}
