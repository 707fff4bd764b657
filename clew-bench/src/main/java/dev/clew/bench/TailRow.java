package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;
import java.util.Locale;

/** Reads the last 20 items of sessions, in the cache and not. Stateless. */
final class TailRow implements Row {
  private static final int ITEMS = 100;
  private static final int LIMIT = Jdbc.LIMIT;
  private static final int HOT_READS = 5_000;
  private static final int FIRST = 100;

  @Override
  public void measure(Lab lab) throws Exception {
    int sessions = lab.size(2_000, 400);
    Path file = lab.file("tail.db");
    try (Fixture fixture = new Fixture(file)) {
      for (int i = 0; i < sessions; i++) {
        fixture.session(id(i), ITEMS);
      }
    }
    hot(lab, file);
    cold(lab, file, sessions);
  }

  private static void hot(Lab lab, Path file) throws Exception {
    try (ClewStore clew = new ClewStore(file);
        Jdbc bare = Jdbc.open(file)) {
      Times times =
          new Race()
              .add("clew", () -> time(HOT_READS, i -> clew.last(id(7), LIMIT)))
              .add("bare", () -> time(HOT_READS, i -> bare.last(id(7))))
              .run(lab.rounds, lab.size(10, 2), lab.warmUpMillis());
      lab.report(
          "getItems(20), hot",
          times.micros("clew", HOT_READS),
          " µs",
          Target.atMost(5),
          "bare query " + times.micros("bare", HOT_READS) + " µs");
    }
  }

  /**
   * Every block opens anew and reads each session once, so that nothing is in any cache of ours.
   */
  private static void cold(Lab lab, Path file, int sessions) throws Exception {
    int reads = sessions - FIRST;
    Times times =
        new Race()
            .add(
                "clew",
                () -> {
                  try (ClewStore clew = new ClewStore(file)) {
                    time(FIRST, i -> clew.last(id(i), LIMIT));
                    return time(reads, i -> clew.last(id(FIRST + i), LIMIT));
                  }
                })
            .add(
                "bare",
                () -> {
                  try (Jdbc bare = Jdbc.open(file)) {
                    time(FIRST, i -> bare.last(id(i)));
                    return time(reads, i -> bare.last(id(FIRST + i)));
                  }
                })
            .run(lab.rounds, lab.size(8, 2), lab.warmUpMillis());
    lab.report(
        "getItems(20), cold, from the page cache: time over the bare query",
        times.ratio("clew", "bare"),
        "",
        Target.atMost(1.3),
        "Clew " + times.micros("clew", reads) + " µs, bare " + times.micros("bare", reads));
  }

  private static String id(int i) {
    return String.format(Locale.ROOT, "s%05d", i);
  }

  private interface Read {
    int items(int number) throws Exception;
  }

  private static long time(int reads, Read read) throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < reads; i++) {
      if (read.items(i) != LIMIT) {
        throw new IllegalStateException("read " + i + " did not find " + LIMIT + " items");
      }
    }
    return System.nanoTime() - start;
  }
}
