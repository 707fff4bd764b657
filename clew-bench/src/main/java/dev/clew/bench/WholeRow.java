package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;

/** Reads a long session as a whole. Stateless. */
final class WholeRow implements Row {
  private static final int ITEMS = 50_000;
  private static final String SESSION = "s";

  @Override
  public void measure(Lab lab) throws Exception {
    Path file = lab.file("whole.db");
    try (Fixture fixture = new Fixture(file)) {
      fixture.session(SESSION, ITEMS);
    }
    try (ClewStore clew = new ClewStore(file);
        Jdbc bare = Jdbc.open(file)) {
      Times times =
          new Race()
              .add("clew", () -> time(() -> clew.all(SESSION)))
              .add("bare", () -> time(() -> bare.all(SESSION)))
              .run(lab.rounds, lab.size(10, 2), lab.warmUpMillis());
      lab.report(
          "getItems() of 50,000 items: time over the bare query",
          times.ratio("clew", "bare"),
          "",
          Target.atMost(1.3),
          "Clew " + times.micros("clew", 1000) + " ms, bare " + times.micros("bare", 1000));
    }
  }

  private interface Read {
    int items() throws Exception;
  }

  private static long time(Read read) throws Exception {
    long start = System.nanoTime();
    if (read.items() != ITEMS) {
      throw new IllegalStateException("not all items were read");
    }
    return System.nanoTime() - start;
  }
}
