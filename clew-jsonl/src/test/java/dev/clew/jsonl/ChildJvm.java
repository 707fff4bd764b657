package dev.clew.jsonl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A program in a JVM of its own, whose lines are read until it ends or is killed. Thread-safe. */
final class ChildJvm implements AutoCloseable {
  private static final int DEADLINE_SECONDS = 60;

  private final Process process;
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

  private ChildJvm(Process process) {
    this.process = process;
  }

  /** Starts a main class; each line it writes goes to {@code lines}, on a thread of its own. */
  static ChildJvm start(Class<?> main, Consumer<String> lines, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    ChildJvm child =
        new ChildJvm(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    Thread reader = new Thread(() -> child.readAll(lines), "child-lines");
    reader.setDaemon(true);
    reader.start();
    return child;
  }

  private void readAll(Consumer<String> lines) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      in.lines().forEach(lines);
      ended.complete(true);
    } catch (IOException | RuntimeException e) {
      ended.completeExceptionally(e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Kills it as {@code kill -9} does, and reads all it wrote before. */
  void kill() throws InterruptedException, ExecutionException, TimeoutException {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close the pipe
    ended.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
