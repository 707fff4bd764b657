package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.jsonl.JsonlStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JSONL store beside a plain file. Stateless. */
final class JsonlRow implements Row {
  private static final int BLOCK = 25;
  private static final int ALONE = 100;
  private static final int THREADS = 8;
  private static final int EACH = 50;
  private static final int HOT_READS = 2_000;
  private static final int COLD_READS = 100;
  private static final int LARGEST = 50_000;

  /** What runs once an append is compiled to its end only after some ten thousand of them. */
  private static final int WARM_UP_BLOCKS = 800;

  @Override
  public void measure(Lab lab) throws Exception {
    append(lab);
    together(lab);
    cold(lab);
    flat(lab);
  }

  /*
   * Two files that grow side by side keep a difference of up to a tenth from one end of a run to the
   * other, and have another in the next run. So each round has new ones.
   */
  private static void append(Lab lab) throws Exception {
    int rounds = lab.rounds * 4;
    double[] same = new double[rounds];
    double[] alone = new double[rounds];
    double[][] perSecond = new double[3][rounds];
    for (int round = 0; round < rounds; round++) {
      Times times = appendOnce(lab, round);
      same[round] = times.ratio("same", "clew").median();
      alone[round] = times.ratio("file", "clew").median();
      perSecond[0][round] = times.perSecond("clew", BLOCK).median();
      perSecond[1][round] = times.perSecond("same", BLOCK).median();
      perSecond[2][round] = times.perSecond("file", BLOCK).median();
    }
    lab.report(
        "JSONL, append one turn, one thread: rate over append and sync of the same lines",
        Samples.of(same),
        "",
        Target.atLeast(0.85),
        "Clew " + Samples.of(perSecond[0]) + " turns/s, bare " + Samples.of(perSecond[1]));
    lab.report(
        "… over append and sync of the items alone",
        Samples.of(alone),
        "",
        Target.NONE,
        "items alone " + Samples.of(perSecond[2]) + " turns/s");
  }

  private static Times appendOnce(Lab lab, int round) throws Exception {
    try (ClewStore clew = new ClewStore(JsonlStore.open(lab.file("append" + round)));
        SameLines same =
            new SameLines(lab.file("lines" + round), lab.file("same" + round + ".jsonl"));
        PlainFile file = new PlainFile(lab.file("plain" + round + ".jsonl"))) {
      Race.Block appends = new Appends(clew, BLOCK, turn -> "s");
      for (int i = 0; round == 0 && i < lab.size(WARM_UP_BLOCKS, 1); i++) {
        appends.run();
      }
      return new Race()
          .add("clew", appends)
          .add("same", new Appends(same, BLOCK, turn -> "s"))
          .add("file", new Appends(file, BLOCK, turn -> "s"))
          .run(1, lab.size(20, 2), round == 0 ? lab.warmUpMillis() : 1);
    }
  }

  private static void together(Lab lab) throws Exception {
    try (ClewStore clew = new ClewStore(JsonlStore.open(lab.file("together")));
        Crowd own = new Crowd(clew, THREADS, EACH, thread -> "own" + thread)) {
      Times times =
          new Race()
              .add("one", new Appends(clew, ALONE, turn -> "alone"))
              .add("own", own)
              .run(lab.rounds, lab.size(10, 2), lab.warmUpMillis());
      own.verify(clew.store);
      lab.report(
          "JSONL, append, 8 threads, own sessions: rate over one thread",
          times.ratio("one", "own").times((double) THREADS * EACH / ALONE),
          "",
          Target.atLeast(2),
          "together "
              + times.perSecond("own", THREADS * EACH)
              + " turns/s, alone "
              + times.perSecond("one", ALONE)
              + "; nothing lost, order kept");
    }
  }

  private static void cold(Lab lab) throws Exception {
    SessionKey key = SessionKey.of("long");
    try (JsonlStore store = JsonlStore.open(lab.file("cold"))) {
      List<Item> items = new ArrayList<>();
      for (int turn = 0; turn < LARGEST / Turn.ITEMS; turn++) {
        items.addAll(Turn.of(turn).items());
      }
      store.session(key).addItems(items);
      Times times =
          new Race()
              .add("clew", () -> coldRead(store, key))
              .run(lab.rounds, lab.size(100, 10), lab.warmUpMillis());
      lab.report(
          "JSONL, getItems(20) of a cold file of 50,000 items",
          times.micros("clew", 1).times(1e-3),
          " ms",
          Target.atMost(5),
          "from the page cache");
    }
  }

  private static long coldRead(JsonlStore store, SessionKey key) {
    store.unload(key);
    long start = System.nanoTime();
    if (store.session(key).getItems(Jdbc.LIMIT).size() != Jdbc.LIMIT) {
      throw new IllegalStateException(key + " has not " + Jdbc.LIMIT + " items");
    }
    return System.nanoTime() - start;
  }

  private static void flat(Lab lab) throws Exception {
    Path folder = lab.file("flat");
    Flatness flatness = new Flatness(lab, LARGEST);
    try (JsonlStore store = JsonlStore.open(folder)) {
      flatness.fill(store);
      flatness.appends("JSONL, append one turn", store);
      flatness.reads("JSONL, getItems(20), hot", store, HOT_READS);
    }
    try (JsonlStore uncached = JsonlStore.builder(folder).cacheSessions(0).open()) {
      flatness.reads("JSONL, getItems(20), not cached", uncached, COLD_READS);
    }
  }
}
