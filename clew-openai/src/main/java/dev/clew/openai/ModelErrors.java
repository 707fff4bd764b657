package dev.clew.openai;

import dev.clew.ClewException;
import java.util.Set;
import java.util.regex.Pattern;

/** Failures of calls as the exceptions of a model. Stateless. */
final class ModelErrors {
  private static final Pattern TOO_LONG =
      Pattern.compile("(?i)(maximum|exceeds?|available)[^.]{0,40} context (length|size|window)");

  /** Statuses that are about what is in the request. */
  private static final Set<Integer> OF_THE_REQUEST = Set.of(400, 422);

  /** Some providers refuse a key, or an account without money, with these too. */
  private static final Pattern ACCOUNT =
      Pattern.compile("(?i)api.?key|authenticat|authoriz|credential|billing|credit|quota|payment");

  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)(bearer +|(org|proj|key|sk|pk|req)[-_])[A-Za-z0-9_.-]{6,}|[A-Za-z0-9_-]{32,}"
              + "|(?<=://)[^/\\s@]*@");

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\s]+");
  private static final int MOST_SHOWN = 300;

  private ModelErrors() {}

  static ClewException of(ApiFailure failure, String model, Api api) {
    String message =
        (model.isEmpty() ? "the model" : "model '" + model + "'")
            + " at "
            + api.place()
            + " "
            + api.withoutKey(failure.what());
    return failure.toClew(message, () -> failed(failure, message, api));
  }

  private static ClewException failed(ApiFailure failure, String message, Api api) {
    Throwable cause = failure.getCause();
    if (isTooLong(failure)) {
      return ClewException.ModelFailed.tooLong(
          message + "; send less, or compact the session", cause);
    }
    if (failure.status() == 413) {
      return ClewException.ModelFailed.tooLarge(message + "; send less", cause);
    }
    if (failure.status() == 503 || failure.status() == 529) {
      return ClewException.ModelFailed.overloaded(message + remedy(failure), cause);
    }
    String said = api.withoutKey(failure.said());
    if (OF_THE_REQUEST.contains(failure.status()) && !ACCOUNT.matcher(said).find()) {
      return ClewException.ModelFailed.refused(message + remedy(failure), shown(said), cause);
    }
    return new ClewException.ModelFailed(message + remedy(failure), cause, failure.mayPass());
  }

  /** What a provider said, short and without what looks like the name of an account or a key. */
  private static String shown(String said) {
    String text = SECRET.matcher(CONTROL.matcher(said).replaceAll(" ")).replaceAll("***").strip();
    int length = text.codePointCount(0, text.length());
    return length <= MOST_SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MOST_SHOWN)) + "…";
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
