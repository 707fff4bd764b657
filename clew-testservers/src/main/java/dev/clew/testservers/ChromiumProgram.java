package dev.clew.testservers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Chromium of the system, which {@code make setup} installs: the one that {@code
 * CLEW_CHROMIUM} names, else the one on the path. Stateless.
 */
public final class ChromiumProgram {
  /** Those that {@code .ci/setup} looks for. The last may be a mere hint to install it. */
  private static final List<String> NAMES =
      List.of("chromium", "google-chrome", "chromium-browser");

  private ChromiumProgram() {}

  /** Where it is, if it is there. */
  public static Optional<Path> find() {
    return find(System.getenv("CLEW_CHROMIUM"), System.getenv("PATH"));
  }

  /** Where it is, or an error that says how to get it. */
  public static Path get() {
    return find().orElseThrow(ChromiumProgram::missing);
  }

  static Optional<Path> find(@Nullable String told, String path) {
    Stream<Path> places =
        told != null && !told.isEmpty()
            ? Stream.of(Path.of(told))
            : NAMES.stream()
                .flatMap(
                    name ->
                        Stream.of(path.split(File.pathSeparator, -1))
                            .map(folder -> Path.of(folder, name)));
    return places.filter(Files::isExecutable).findFirst();
  }

  private static IllegalStateException missing() {
    return new IllegalStateException(
        "the tests of the page need Chromium; install it with 'make setup', or set CLEW_CHROMIUM to"
            + " its path");
  }
}
