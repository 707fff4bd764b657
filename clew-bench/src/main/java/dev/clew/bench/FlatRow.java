package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Appends to and reads the tail of sessions of very different length. Stateless.
 *
 * <p>A short session would soon not be short any more, so of those there are many and each block
 * takes another.
 */
final class FlatRow implements Row {
  private static final int APPENDS = 10;
  private static final int READS = 200;
  private static final int SPARE = 150;

  @Override
  public void measure(Lab lab) throws Exception {
    List<Integer> sizes =
        lab.quick ? List.of(100, 1000, 10_000) : List.of(100, 1000, 10_000, 50_000, 500_000);
    Path file = lab.file("flat.db");
    try (Fixture fixture = new Fixture(file)) {
      for (int size : sizes) {
        for (int i = 0; i < copies(size); i++) {
          fixture.session(id(size, i), size);
        }
      }
    }
    int cycles = lab.size(20, 3);
    try (ClewStore clew = new ClewStore(file)) {
      Race appends = new Race();
      Race hot = new Race();
      for (int size : sizes) {
        appends.add(name(size), new Growing(clew, size));
        hot.add(name(size), reads(clew.store, id(size, 0)));
      }
      report(lab, "append one turn", sizes, run(appends, lab, cycles), APPENDS);
      report(lab, "getItems(20), hot", sizes, run(hot, lab, cycles), READS);
    }
    try (SessionStore uncached = SqliteStore.builder(file.toString()).cacheBytes(0).open()) {
      Race cold = new Race();
      for (int size : sizes) {
        cold.add(name(size), reads(uncached, id(size, 0)));
      }
      report(lab, "getItems(20), not cached", sizes, run(cold, lab, cycles), READS);
    }
  }

  private static Times run(Race race, Lab lab, int cycles) throws Exception {
    return race.run(lab.rounds, cycles, lab.warmUpMillis());
  }

  private static void report(Lab lab, String what, List<Integer> sizes, Times times, int block) {
    List<String> names = sizes.stream().map(FlatRow::name).toList();
    List<String> micros = new ArrayList<>();
    for (String name : names) {
      micros.add(name + ": " + Samples.number(times.micros(name, block).median()));
    }
    lab.report(
        what + " at " + names.get(0) + " to " + names.get(names.size() - 1) + " items: flatness",
        times.spread(names),
        "",
        Target.atMost(1.3),
        "µs at " + String.join(", ", micros));
  }

  private static String name(int size) {
    return String.format(Locale.ROOT, "%,d", size);
  }

  private static String id(int size, int copy) {
    return "s" + size + "-" + copy;
  }

  private static int copies(int size) {
    return size <= 1000 ? SPARE : 1;
  }

  private static Race.Block reads(SessionStore store, String session) {
    return () -> {
      long start = System.nanoTime();
      for (int i = 0; i < READS; i++) {
        if (store.session(session).getItems(20).size() != 20) {
          throw new IllegalStateException(session + " has not 20 items");
        }
      }
      return System.nanoTime() - start;
    };
  }

  /** Appends to a session that is in use, that is, in the cache. */
  private static final class Growing implements Race.Block {
    private final ClewStore clew;
    private final int size;
    private int blocks;

    Growing(ClewStore clew, int size) {
      this.clew = clew;
      this.size = size;
    }

    @Override
    public long run() throws Exception {
      String session = id(size, blocks++ % copies(size));
      clew.last(session, 20);
      return new Appends(clew, APPENDS, turn -> session).run();
    }
  }
}
