package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How long short commands of the launcher take, beside a JVM that does nothing. Stateless. */
final class StartRow implements Row {
  @Override
  public void measure(Lab lab) throws Exception {
    Path launcher = Path.of("clew").toAbsolutePath();
    if (!Files.exists(Path.of("clew-cli", "target", "run", "clew.jar"))) {
      lab.note("start of the command line: not measured; run ./clew --version once to build it");
      return;
    }
    Path file = lab.file("cli.db");
    try (Fixture fixture = new Fixture(file)) {
      for (int i = 0; i < 20; i++) {
        fixture.session("s" + i, 20);
      }
    }
    String clew = launcher.toString();
    Times times =
        new Race()
            .add("version", () -> run(List.of(clew, "--version")))
            .add("list", () -> run(List.of(clew, "sessions", "list", "--store", "sqlite:" + file)))
            .add("java", () -> run(List.of(Child.java(), "-XX:+UseSerialGC", "-version")))
            .run(Math.max(9, lab.rounds), 1, 0);
    report(lab, times, "version", "./clew --version");
    report(lab, times, "list", "./clew sessions list");
  }

  private static void report(Lab lab, Times times, String who, String what) {
    lab.report(
        what + ", whole process",
        times.micros(who, 1000),
        " ms",
        Target.atMost(350),
        "java -version " + times.micros("java", 1000) + " ms");
  }

  static long run(List<String> command) throws Exception {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int status = process.waitFor();
    long nanos = System.nanoTime() - start;
    if (status != 0) {
      throw new IllegalStateException(command + " ended with status " + status);
    }
    return nanos;
  }
}
