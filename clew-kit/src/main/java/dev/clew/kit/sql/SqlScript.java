package dev.clew.kit.sql;

import dev.clew.kit.Resources;
import java.util.List;
import java.util.stream.Stream;

/** Statements in a resource, with blank lines between them. Stateless. */
public final class SqlScript {
  private SqlScript() {}

  /**
   * Reads the statements, without lines that start with {@code --}.
   *
   * @param beside a class in the package of the resource
   */
  public static List<String> read(Class<?> beside, String file) {
    String text = Resources.text(beside, file).replaceAll("(?m)^--.*\n", "");
    return Stream.of(text.split("\n\n+"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }
}
