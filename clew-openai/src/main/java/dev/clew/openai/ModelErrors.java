package dev.clew.openai;

import dev.clew.ClewException;

/** Failures of calls as the exceptions of a model. Stateless. */
final class ModelErrors {
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
            new ClewException.ModelFailed(
                message + remedy(failure), failure.getCause(), failure.mayPass()));
  }

  private static String remedy(ApiFailure failure) {
    if (failure.isNotFound()) {
      return "; check the name of the model and the base URL";
    }
    return failure.mayPass() ? "; try again later" : "; change the request";
  }
}
