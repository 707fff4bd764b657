package dev.clew.bench;

import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;

/** Lists the 50 sessions used last, and the 20 pinned ones, of few and of many. Stateless. */
final class ListRow implements Row {
  private static final int LISTS = 100;
  private static final int PINNED = 20;

  @Override
  public void measure(Lab lab) throws Exception {
    int many = lab.size(1_000_000, 50_000);
    try (ClewStore few = filled(lab.file("few.db"), 1_000);
        ClewStore full = filled(lab.file("many.db"), many)) {
      Times times =
          new Race()
              .add("few", lists(few, SessionQuery.of(""), 50))
              .add("many", lists(full, SessionQuery.of(""), 50))
              .add("few pinned", lists(few, SessionQuery.of("").pinned(true), PINNED))
              .add("many pinned", lists(full, SessionQuery.of("").pinned(true), PINNED))
              .run(lab.rounds, lab.size(20, 3), lab.warmUpMillis());
      lab.report(
          "list 50 of 1,000,000 sessions: time over 50 of 1,000",
          times.ratio("many", "few"),
          "",
          Target.atMost(1.3),
          times.micros("many", LISTS) + " µs, of 1,000 " + times.micros("few", LISTS));
      lab.report(
          "list the 20 pinned of 1,000,000 sessions: time over those of 1,000",
          times.ratio("many pinned", "few pinned"),
          "",
          Target.atMost(1.3),
          times.micros("many pinned", LISTS)
              + " µs, of 1,000 "
              + times.micros("few pinned", LISTS));
    }
  }

  private static ClewStore filled(Path file, int sessions) throws Exception {
    try (Fixture fixture = new Fixture(file)) {
      fixture.emptySessions(sessions);
    }
    ClewStore clew = new ClewStore(file);
    for (SessionInfo info :
        clew.store.list(SessionQuery.of("").limit(1000)).sessions().subList(980, 1000)) {
      clew.store.session(info.key()).update(SessionUpdate.none().pinned(true));
    }
    return clew;
  }

  private static Race.Block lists(ClewStore clew, SessionQuery query, int expected) {
    return () -> {
      long start = System.nanoTime();
      for (int i = 0; i < LISTS; i++) {
        if (clew.store.list(query).sessions().size() != expected) {
          throw new IllegalStateException("the list has not " + expected + " sessions");
        }
      }
      return System.nanoTime() - start;
    };
  }
}
