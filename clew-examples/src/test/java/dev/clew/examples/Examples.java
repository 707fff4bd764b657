package dev.clew.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources of the examples. Stateless. */
final class Examples {
  private static final Path SOURCES = Path.of("src/main/java/dev/clew/examples");

  private Examples() {}

  static Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(name -> !name.equals("package-info"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  static String source(String name) {
    try {
      return Files.readString(SOURCES.resolve(name + ".java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
