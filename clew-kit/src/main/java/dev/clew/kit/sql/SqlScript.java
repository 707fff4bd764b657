package dev.clew.kit.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
    try (InputStream in = beside.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the script " + file + " is missing from the jar");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(text.replaceAll("(?m)^--.*\n", "").split("\n\n+"))
          .map(String::strip)
          .filter(statement -> !statement.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
