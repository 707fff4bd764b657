package dev.clew.server.hostile;

import dev.clew.testservers.AttackedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A server in a process of its own, and two owners who call it. Thread-safe. */
final class ServerProcess implements AutoCloseable {
  /** Whether the long versions are run. */
  static final boolean SOAK = Boolean.getBoolean("clew.soak");

  /** Far more than anything needs, so that only what never happens runs into it. */
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final AttackedServer ann;
  private final AttackedServer bob;

  /** What is different from a usual start. */
  record Start(List<String> prefix, List<String> options, Map<String, String> environment) {
    static final Start USUAL = new Start(List.of(), List.of("-Xmx256m"), Map.of());
  }

  /**
   * Starts it and waits until it serves.
   *
   * @param folder for what it unpacks
   */
  ServerProcess(Path folder, Path file, Start start) throws IOException {
    Path unpacked = Files.createDirectories(folder.resolve("native"));
    List<String> command = new ArrayList<>(start.prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(start.options);
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + unpacked,
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            HostileProgram.class.getName(),
            "sqlite:" + file));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(start.environment);
    process = builder.start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    int port = Integer.parseInt(line(lines));
    ann = new AttackedServer(port, line(lines));
    bob = new AttackedServer(port, line(lines));
  }

  private static String line(BufferedReader lines) throws IOException {
    return Objects.requireNonNull(lines.readLine(), "the server did not start");
  }

  AttackedServer ann() {
    return ann;
  }

  AttackedServer bob() {
    return bob;
  }

  /** An answer, or status 0 if there was none. */
  record Answer(int status, String body) {}

  static Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException e) {
      return new Answer(0, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static Answer get(AttackedServer who, String path) {
    return send(who.request(path).GET());
  }

  static Answer post(AttackedServer who, String path, String json, String... headers) {
    HttpRequest.Builder request = who.request(path).POST(HttpRequest.BodyPublishers.ofString(json));
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  /** A turn of a chat, which makes the session if there is none. */
  static Answer say(AttackedServer who, String session, String text) {
    return post(
        who, "/api/chat", "{\"session_id\":\"" + session + "\",\"message\":\"" + text + "\"}");
  }

  /** Asks until the answer is as wanted; that answer. */
  static <T> T until(String what, Supplier<T> question, Predicate<T> wanted) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      T answer = question.get();
      if (wanted.test(answer)) {
        return answer;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("not in time: " + what + "; the last answer was " + answer);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** Says something to the program before the server, if there is one. */
  void tell(String word) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(word).append('\n').flush();
  }

  /** As by kill -9. */
  void kill() {
    process.destroyForcibly();
    await();
  }

  private void await() {
    try {
      if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the server does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ends the program before the server, which then ends the server. */
  void endWithPrefix() {
    try {
      process.outputWriter(StandardCharsets.UTF_8).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await();
  }

  @Override
  public void close() {
    kill();
  }
}
