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
    return failure.toClew(
        message,
        () ->
            isTooLong(failure)
                ? ClewException.ModelFailed.tooLong(
                    message + "; send less, or compact the session", failure.getCause())
                : new ClewException.ModelFailed(
                    message + remedy(failure), failure.getCause(), failure.mayPass()));
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
