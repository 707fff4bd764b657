package dev.clew.examples;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the main method of an example and has what it printed. One at a time. */
final class Output {
  private Output() {}

  /** In this JVM. */
  static List<String> of(String example, String... args) throws ReflectiveOperationException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Class.forName("dev.clew.examples." + example)
          .getMethod("main", String[].class)
          .invoke(null, (Object) args);
    } catch (InvocationTargetException e) {
      throw new AssertionError(example + " failed", e.getCause());
    } finally {
      System.setOut(before);
    }
    return withoutDates(printed.toString(StandardCharsets.UTF_8));
  }

  /** In a JVM of its own, whose environment has this base URL and a key. */
  static List<String> ofProcess(String example, String baseUrl, Path folder)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, example, ".out");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dfile.encoding=UTF-8",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.clew.examples." + example);
    builder.environment().keySet().removeIf(name -> name.startsWith("OPENAI_"));
    builder.environment().put("OPENAI_BASE_URL", baseUrl);
    builder.environment().put("OPENAI_API_KEY", "key-of-the-test");
    Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(example + " did not end: " + Files.readString(out));
    }
    return withoutDates(Files.readString(out));
  }

  private static List<String> withoutDates(String text) {
    return text.replaceAll("[A-Z][a-z]+day \\d+ [A-Z][a-z]+ \\d{4}", "(day)")
        .replaceAll("\\d{4}-\\d{2}-\\d{2}T", "(date)T")
        .lines()
        .toList();
  }
}
