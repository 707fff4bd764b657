package dev.clew.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A process that does a part of the work by itself and says what it found in lines {@code
 * name=value}. Used by one thread.
 */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;

  private Child(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    from = process.inputReader(StandardCharsets.UTF_8);
    to = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** A fresh JVM that runs a part of {@link ChildMain}. */
  static Child jvm(List<String> options, String... arguments) throws IOException {
    return jvm(ChildMain.class, options, arguments);
  }

  /** A fresh JVM that runs a program. */
  static Child jvm(Class<?> main, List<String> options, String... arguments) throws IOException {
    return jvm(List.of(), main, options, arguments);
  }

  /** A fresh JVM that runs a program and gets only the processor time that nobody else wants. */
  static Child nicedJvm(Class<?> main, String... arguments) throws IOException {
    return jvm(List.of("nice", "-n", "19"), main, List.of(), arguments);
  }

  private static Child jvm(
      List<String> prefix, Class<?> main, List<String> options, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(java());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new Child(command);
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A Python program out of our resources, or nothing if there is no Python with SQLite. */
  static Optional<Child> python(Path folder, String... arguments) throws IOException {
    Path script = folder.resolve("writer.py");
    try (InputStream source = Child.class.getResourceAsStream("writer.py")) {
      if (source == null) {
        throw new IllegalStateException("writer.py is not among the resources");
      }
      Files.write(script, source.readAllBytes());
    }
    List<String> command = new ArrayList<>(List.of("python3", script.toString()));
    command.addAll(List.of(arguments));
    try {
      return Optional.of(new Child(command));
    } catch (IOException e) {
      return Optional.empty(); // no python3 to start
    }
  }

  void awaitReady() throws IOException {
    String line = from.readLine();
    if (!"ready".equals(line)) {
      throw new IllegalStateException("a child process said '" + line + "', not 'ready'");
    }
  }

  /** What it found so far; waits until it is ready. */
  Map<String, Long> untilReady() throws IOException {
    Map<String, Long> values = new HashMap<>();
    for (String line = from.readLine(); !"ready".equals(line); line = from.readLine()) {
      if (line == null) {
        throw new IllegalStateException("a child process ended before it was ready");
      }
      take(line, values);
    }
    return values;
  }

  void go() throws IOException {
    to.write("go\n");
    to.flush();
  }

  /** What it found; waits for its end. */
  Map<String, Long> result() throws IOException, InterruptedException {
    Map<String, Long> values = new HashMap<>();
    for (String line = from.readLine(); line != null; line = from.readLine()) {
      take(line, values);
    }
    int status = process.waitFor();
    if (status != 0) {
      throw new IllegalStateException("a child process ended with status " + status);
    }
    return values;
  }

  private static void take(String line, Map<String, Long> values) {
    int mark = line.indexOf('=');
    if (mark > 0) {
      values.put(line.substring(0, mark), Long.valueOf(line.substring(mark + 1)));
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
