package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A clew command in a process of its own, on a store in a folder, in a locale that knows only
 * ASCII. Used by one thread.
 */
public final class ClewProcess implements AutoCloseable {
  /** The classes of this build, as the tests see them. */
  private static final List<String> FROM_CLASS_PATH =
      List.of("-cp", System.getProperty("java.class.path"), "dev.clew.cli.Main");

  public final Process process;
  private final Path folder;
  private final BufferedReader answers;

  private ClewProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  public static String store(Path folder) {
    return "sqlite:" + folder.resolve("clew.db");
  }

  public static ClewProcess start(Path folder, Map<String, String> env, String... args)
      throws IOException {
    return start(List.of(), FROM_CLASS_PATH, folder, env, args);
  }

  /** The same, after everybody else: it can be watched even where the machine is busy. */
  static ClewProcess startLast(Path folder, Map<String, String> env, String... args)
      throws IOException {
    return start(List.of("nice", "-n", "19"), FROM_CLASS_PATH, folder, env, args);
  }

  /** The same, bound by the modes of files also where the tests are run by root. */
  static ClewProcess startByUser(Path folder, Map<String, String> env, String... args)
      throws IOException {
    return start(withoutRightsOfRoot(folder), FROM_CLASS_PATH, folder, env, args);
  }

  private static List<String> withoutRightsOfRoot(Path folder) throws IOException {
    Path closed = Files.createTempFile(folder, "closed", "");
    Files.setPosixFilePermissions(closed, Set.of());
    boolean bound = !Files.isReadable(closed);
    Files.delete(closed);
    String rights = "-dac_override,-dac_read_search";
    return bound
        ? List.of()
        : List.of("setpriv", "--bounding-set=" + rights, "--inh-caps=" + rights);
  }

  /** The jar that people run. */
  static ClewProcess startJar(Path jar, Path folder, Map<String, String> env, String... args)
      throws IOException {
    return start(List.of(), List.of("-jar", jar.toString()), folder, env, args);
  }

  private static ClewProcess start(
      List<String> prefix,
      List<String> program,
      Path folder,
      Map<String, String> env,
      String... args)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(hearingInterrupts());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load:file=" + folder.resolve("loaded"),
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(program);
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("OPENAI_") || name.startsWith("CLEW_"));
    builder.environment().put("CLEW_STORE", store(folder));
    builder.environment().put("LC_ALL", "C");
    builder.environment().putAll(env);
    return new ClewProcess(builder.redirectError(folder.resolve("err").toFile()).start(), folder);
  }

  /** A build in the background of a shell ignores interrupts, and so would what it starts. */
  private static List<String> hearingInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (Files.exists(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("SigIgn:")
            && (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 0b10) != 0) {
          return List.of("env", "--default-signal=INT");
        }
      }
    }
    return List.of();
  }

  public void type(String text) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write(text.getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** The next line of standard output. */
  public String line() throws IOException {
    return answers.readLine();
  }

  /** As many characters of standard output, whether a line ends there or not. */
  public String read(int count) throws IOException {
    char[] chars = new char[count];
    int n = 0;
    while (n < count) {
      int more = answers.read(chars, n, count - n);
      assertThat(more).as(err()).isPositive();
      n += more;
    }
    return new String(chars);
  }

  /** Ends standard input and waits; the exit code. */
  public int end() throws Exception {
    process.getOutputStream().close();
    answers.lines().forEach(line -> {});
    return await();
  }

  /**
   * Sends a signal as soon as the condition holds, and waits for the end.
   *
   * @return whether the signal ended it, and not its work
   */
  public boolean killWhen(String signal, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (process.isAlive() && !condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it goes on: %s", err()).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
    if (signal.equals("KILL")) {
      process.destroyForcibly();
    } else if (process.isAlive()) {
      assertThat(run("sh", "-c", "kill -" + signal + " " + process.pid())).isZero();
    }
    int code = await();
    return code == 128 + (signal.equals("INT") ? 2 : 9);
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).start().waitFor();
  }

  public int await() throws Exception {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  public String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  /** The names of the classes that were loaded. */
  public String loaded() throws IOException {
    return Files.readString(folder.resolve("loaded"));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
