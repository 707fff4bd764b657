package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Opens a large file in a fresh JVM and reads the last 20 items of a session. Stateless. */
final class OpenRow implements Row {
  @Override
  public void measure(Lab lab) throws Exception {
    Path file = lab.file("open.db");
    try (Fixture fixture = new Fixture(file)) {
      for (int i = 0; i < lab.size(2_000, 100); i++) {
        fixture.session(String.format(Locale.ROOT, "s%05d", i), 100);
      }
    }
    Times times =
        new Race()
            .add("clew", () -> open("open", file))
            .add("bare", () -> open("open-bare", file))
            .run(Math.max(11, lab.rounds), 1, 0);
    lab.report(
        "open 200,000 items and read the last 20, fresh JVM: over the bare driver",
        times.ratio("clew", "bare"),
        "",
        Target.atMost(1.3),
        "Clew " + times.micros("clew", 1000) + " ms, bare " + times.micros("bare", 1000));
  }

  private static long open(String part, Path file) throws Exception {
    try (Child child = Child.jvm(List.of(), part, file.toString(), "s00077")) {
      var found = child.result();
      if (found.getOrDefault("items", 0L) != 20) {
        throw new IllegalStateException(part + " did not read 20 items");
      }
      return found.getOrDefault("nanos", 0L);
    }
  }
}
