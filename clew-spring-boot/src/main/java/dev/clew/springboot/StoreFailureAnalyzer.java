package dev.clew.springboot;

import dev.clew.ClewException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in two sentences why an application without its store does not start. Stateless. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreOpeningException> {
  private static final Pattern MISSING_MODULE =
      Pattern.compile("add the module (dev\\.clew:[\\w-]+)");

  @Override
  protected FailureAnalysis analyze(Throwable failure, StoreOpeningException cause) {
    return new FailureAnalysis(cause.getMessage(), remedy(cause.getCause()), cause);
  }

  private static String remedy(@Nullable Throwable reason) {
    if (reason instanceof IllegalArgumentException) {
      Matcher missing = MISSING_MODULE.matcher(String.valueOf(reason.getMessage()));
      if (missing.find()) {
        return "Add the dependency '" + missing.group(1) + "', or correct the property 'clew.url'.";
      }
      return "Correct the property 'clew.url'.";
    }
    if (reason instanceof ClewException.NoSuchStore) {
      return "Correct the property 'clew.url', or set 'clew.create' to true.";
    }
    return "Remove the cause, or change the property 'clew.url'.";
  }
}
