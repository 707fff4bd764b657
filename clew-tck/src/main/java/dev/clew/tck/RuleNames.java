package dev.clew.tck;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Shows a test as {@code Paging: hasMore is exact}: its group and its statement. Stateless. */
final class RuleNames extends DisplayNameGenerator.Standard {
  private static final String SUFFIX = "Rules";

  @Override
  public String generateDisplayNameForMethod(
      List<Class<?>> enclosing, Class<?> testClass, Method method) {
    String group = method.getDeclaringClass().getSimpleName();
    String statement = method.getName().replace('_', ' ');
    return group.endsWith(SUFFIX)
        ? group.substring(0, group.length() - SUFFIX.length()) + ": " + statement
        : statement;
  }
}
