package dev.clew.testservers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * One of the applications in {@code examples}, compiled and run with the class path of the test and
 * in a folder of its own. Immutable.
 */
public final class Example {
  private final Path folder;

  private Example(Path folder) {
    this.folder = folder;
  }

  /** Compiles an example into an empty folder. */
  public static Example compile(String name, Path folder) throws IOException {
    Path main = Path.of("..", "examples", name, "src", "main");
    List<String> words =
        new ArrayList<>(
            List.of("-parameters", "-cp", classPath(), "-d", folder.resolve("classes").toString()));
    for (Path source : files(main.resolve("java"))) {
      words.add(source.toString());
    }
    int failed =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new));
    if (failed != 0) {
      throw new AssertionError("the example " + name + " does not compile");
    }
    Path resources = main.resolve("resources");
    if (Files.exists(resources)) {
      for (Path each : files(resources)) {
        Files.copy(each, folder.resolve("classes").resolve(resources.relativize(each)));
      }
    }
    return new Example(folder);
  }

  /** What the example says, the last line at the end, without white space around it. */
  public String run(String words) {
    Command.Result result =
        Command.run(
            folder,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                folder.resolve("classes") + File.pathSeparator + classPath(),
                "example.WeatherChat",
                words));
    if (!result.succeeded()) {
      throw new AssertionError(result.output());
    }
    return result.output();
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
