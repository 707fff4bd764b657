package dev.clew.bench;

import dev.clew.SessionQuery;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;

/** Lists the 50 sessions used last, of few and of many. Stateless. */
final class ListRow implements Row {
  private static final int LISTS = 100;

  @Override
  public void measure(Lab lab) throws Exception {
    int many = lab.size(1_000_000, 50_000);
    try (ClewStore few = filled(lab.file("few.db"), 1_000);
        ClewStore full = filled(lab.file("many.db"), many)) {
      Times times =
          new Race()
              .add("few", lists(few))
              .add("many", lists(full))
              .run(lab.rounds, lab.size(20, 3), lab.warmUpMillis());
      lab.report(
          "list 50 of 1,000,000 sessions: time over 50 of 1,000",
          times.ratio("many", "few"),
          "",
          Target.atMost(1.3),
          times.micros("many", LISTS) + " µs, of 1,000 " + times.micros("few", LISTS));
    }
  }

  private static ClewStore filled(Path file, int sessions) throws Exception {
    try (Fixture fixture = new Fixture(file)) {
      fixture.emptySessions(sessions);
    }
    return new ClewStore(file);
  }

  private static Race.Block lists(ClewStore clew) {
    return () -> {
      long start = System.nanoTime();
      for (int i = 0; i < LISTS; i++) {
        if (clew.store.list(SessionQuery.of("")).sessions().size() != 50) {
          throw new IllegalStateException("the list has not 50 sessions");
        }
      }
      return System.nanoTime() - start;
    };
  }
}
