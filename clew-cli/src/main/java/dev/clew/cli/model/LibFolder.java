package dev.clew.cli.model;

import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars in the folder {@code lib} beside {@code clew.jar}: large libraries that few commands
 * need. Stateless.
 *
 * <p>They are in a class loader of their own and not in the class path: there, whoever looks for a
 * service or a missing resource would open all of them, and every command would start later.
 */
final class LibFolder {
  private LibFolder() {}

  /** Loads what is in the jars, and what the command itself has. */
  static ClassLoader loader() {
    ClassLoader own = LibFolder.class.getClassLoader();
    Path program =
        Path.of(
            URI.create(
                LibFolder.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    Path folder = program.resolveSibling("lib");
    if (!Files.isRegularFile(program) || !Files.isDirectory(folder)) {
      return own; // not the runnable jar: all there is is in the class path
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<URL> jars = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".jar")) {
          jars.add(file.toUri().toURL());
        }
      }
      return new URLClassLoader("lib", jars.toArray(URL[]::new), own);
    } catch (IOException e) {
      throw Failure.failed("cannot read the folder " + folder + ": " + Humanize.reason(e));
    }
  }
}
