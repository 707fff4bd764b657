package dev.clew.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A program in a JVM of its own, whose lines are read until it ends or is killed. Thread-safe. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final CompletableFuture<Void> read = new CompletableFuture<>();

  private ChildJvm(Process process) {
    this.process = process;
  }

  /** Starts a main class; each line it writes goes to {@code lines}, on a thread of its own. */
  static ChildJvm start(Path folder, Class<?> main, Consumer<String> lines, String... args)
      throws IOException {
    return start(List.of(), folder, main, lines, args);
  }

  /** The same, run by another command. */
  static ChildJvm start(
      List<String> under, Path folder, Class<?> main, Consumer<String> lines, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(under);
    // The driver leaves its library behind when it is killed, so it goes where the test cleans up.
    Path libraries = Files.createDirectories(folder.resolve("native"));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + libraries,
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    ChildJvm child = new ChildJvm(process);
    Wait.daemon(() -> child.readAll(lines)).start();
    return child;
  }

  private void readAll(Consumer<String> lines) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.accept(line);
      }
      read.complete(null);
    } catch (IOException | RuntimeException | Error e) {
      read.completeExceptionally(e);
    }
  }

  /** Kills it, as {@code kill -9} does; what it wrote before is still read. */
  void kill() {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close the pipe
  }

  /** Waits until it has ended and all it wrote was read; its exit code. */
  int await() {
    Wait.value(read);
    try {
      if (!process.waitFor(Wait.DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the child does not end");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for a child", e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
