package dev.clew.tck;

import dev.clew.Commit;
import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.IncompleteExecutionException;

/** Puts the rule, and what it asks for, in front of what a failed assertion says. Stateless. */
final class RuleFailures implements TestExecutionExceptionHandler {

  /** The names of methods, which are not words. */
  private static final Set<String> NAMES =
      Stream.of(Session.class, StoredSession.class, SessionStore.class, Commit.class)
          .flatMap(type -> Arrays.stream(type.getMethods()))
          .map(Method::getName)
          .collect(Collectors.toUnmodifiableSet());

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    Method rule = context.getRequiredTestMethod();
    if (failure instanceof IncompleteExecutionException || asked(rule).isEmpty()) {
      throw failure;
    }
    if (failure instanceof AssertionError) {
      throw like(failure, failed(rule, String.valueOf(failure.getMessage()), failure));
    }
    if (failure instanceof Exception) {
      throw like(failure, new IllegalStateException(text(rule, failure.toString()), failure));
    }
    throw failure;
  }

  private static AssertionError failed(Method rule, String seen, Throwable failure) {
    String text = text(rule, seen);
    return failure instanceof AssertionFailedError compared && compared.isExpectedDefined()
        ? new AssertionFailedError(
            text, compared.getExpected(), compared.getActual(), failure.getCause())
        : new AssertionFailedError(text, failure.getCause());
  }

  /** The place that failed is that of the assertion. */
  private static <T extends Throwable> T like(Throwable failure, T told) {
    told.setStackTrace(failure.getStackTrace());
    Arrays.stream(failure.getSuppressed()).forEach(told::addSuppressed);
    return told;
  }

  private static String text(Method rule, String seen) {
    return String.format(
        "%nrule: %s: %s%nwhat it asks for: %s%nseen: %s",
        rule.getDeclaringClass().getSimpleName(),
        sentence(rule.getName()),
        asked(rule).orElseThrow(),
        seen);
  }

  /** What a rule asks for; nothing if it is a test that somebody has added to the contract. */
  private static Optional<String> asked(Method rule) {
    return Stream.of(
            rule.getAnnotation(Rule.class), rule.getDeclaringClass().getAnnotation(Rule.class))
        .filter(found -> found != null)
        .map(Rule::value)
        .findFirst();
  }

  /** The sentence that the name of a rule is. */
  private static String sentence(String name) {
    return Arrays.stream(name.split("_"))
        .map(part -> NAMES.contains(part) ? part : words(part))
        .collect(Collectors.joining(" "));
  }

  private static String words(String part) {
    return part.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
