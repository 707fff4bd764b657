package dev.clew.bench;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Appends to and reads the tail of sessions of very different length. Used by one thread.
 *
 * <p>A short session would soon not be short any more, so of those there are many and each block
 * takes another.
 */
final class Flatness {
  private static final int APPENDS = 10;
  private static final int SPARE = 150;
  private static final int FILL = 2000;

  private final Lab lab;
  private final List<Integer> sizes;

  /** For sessions of 100 items up to so many. */
  Flatness(Lab lab, int largest) {
    this.lab = lab;
    List<Integer> all = List.of(100, 1000, 10_000, 50_000, 500_000);
    int most = lab.size(largest, Math.min(largest, 10_000));
    this.sizes = all.stream().filter(size -> size <= most).toList();
  }

  /** What makes a session with a number of items, which is a multiple of a turn's. */
  interface Fill {
    void session(String id, int items) throws Exception;
  }

  void fill(Fill fill) throws Exception {
    for (int size : sizes) {
      for (int i = 0; i < copies(size); i++) {
        fill.session(id(size, i), size);
      }
    }
  }

  /** Fills through the store itself. */
  void fill(SessionStore store) throws Exception {
    fill(
        (id, items) -> {
          List<Item> batch = new ArrayList<>();
          for (int turn = 0; turn < items / Turn.ITEMS; turn++) {
            batch.addAll(Turn.of(turn).items());
            if (batch.size() == FILL || turn == items / Turn.ITEMS - 1) {
              store.session(id).commit(Commit.append(batch));
              batch.clear();
            }
          }
        });
  }

  void appends(String what, SessionStore store) throws Exception {
    Race race = new Race();
    ClewStore clew = new ClewStore(store);
    for (int size : sizes) {
      race.add(name(size), new Growing(clew, size));
    }
    report(what, race, APPENDS);
  }

  /**
   * @param block how many reads at a time
   */
  void reads(String what, SessionStore store, int block) throws Exception {
    Race race = new Race();
    for (int size : sizes) {
      race.add(name(size), reads(store, id(size, 0), block));
    }
    report(what, race, block);
  }

  private void report(String what, Race race, int block) throws Exception {
    Times times = race.run(lab.rounds, lab.size(20, 3), lab.warmUpMillis());
    List<String> names = sizes.stream().map(Flatness::name).toList();
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

  private static Race.Block reads(SessionStore store, String session, int block) {
    return () -> {
      long start = System.nanoTime();
      for (int i = 0; i < block; i++) {
        if (store.session(session).getItems(Jdbc.LIMIT).size() != Jdbc.LIMIT) {
          throw new IllegalStateException(session + " has not " + Jdbc.LIMIT + " items");
        }
      }
      return System.nanoTime() - start;
    };
  }

  /** Appends to a session that is in use, that is, in a cache if there is one. */
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
      clew.last(session, Jdbc.LIMIT);
      return new Appends(clew, APPENDS, turn -> session).run();
    }
  }
}
