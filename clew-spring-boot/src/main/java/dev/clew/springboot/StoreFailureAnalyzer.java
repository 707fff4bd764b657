package dev.clew.springboot;

import dev.clew.ClewException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in two sentences why an application without its store does not start. Stateless. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreOpeningException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, StoreOpeningException cause) {
    return new FailureAnalysis(cause.getMessage(), remedy(cause.getCause()), cause);
  }

  private static String remedy(@Nullable Throwable reason) {
    if (reason instanceof IllegalArgumentException) {
      return "Correct the property 'clew.url'.";
    }
    if (reason instanceof ClewException.NoSuchStore) {
      return "Correct the property 'clew.url', or set 'clew.create' to true.";
    }
    return "Remove the cause, or change the property 'clew.url'.";
  }
}
