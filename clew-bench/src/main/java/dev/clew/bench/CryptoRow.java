package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.crypto.EncryptedStore;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.sqlite.SqliteStore;
import java.util.Map;

/** The SQLite store with encryption beside the same store without. Stateless. */
final class CryptoRow implements Row {
  private static final int BLOCK = 25;
  private static final int THREADS = 8;
  private static final int EACH = 50;
  private static final int READS = 2_000;
  private static final int TURNS = 50;
  private static final int LIMIT = Jdbc.LIMIT;

  @Override
  public void measure(Lab lab) throws Exception {
    MasterKeys keys =
        MasterKeys.of(new KeySource.InEnvironment("KEYS", Map.of("KEYS", MasterKeys.create())));
    try (ClewStore plain = new ClewStore(lab.file("plain.db"));
        ClewStore safe =
            new ClewStore(EncryptedStore.over(SqliteStore.open(lab.file("safe.db")), keys));
        Crowd plainCrowd = new Crowd(plain, THREADS, EACH, thread -> "own" + thread);
        Crowd safeCrowd = new Crowd(safe, THREADS, EACH, thread -> "own" + thread)) {
      report(
          lab,
          "encrypted, append one turn, one thread: rate over the plain store",
          0.8,
          BLOCK,
          new Race()
              .add("plain", new Appends(plain, BLOCK, turn -> "s"))
              .add("safe", new Appends(safe, BLOCK, turn -> "s"))
              .run(lab.rounds, lab.size(40, 10), lab.warmUpMillis()));
      report(
          lab,
          "encrypted, append, 8 threads, own sessions: rate over the plain store",
          0.8,
          THREADS * EACH,
          new Race()
              .add("plain", plainCrowd)
              .add("safe", safeCrowd)
              .run(lab.rounds, lab.size(10, 2), lab.warmUpMillis()));
      for (int turn = 0; turn < TURNS; turn++) {
        plain.append("read", Turn.of(turn));
        safe.append("read", Turn.of(turn));
      }
      report(
          lab,
          "encrypted, getItems(20), hot: rate over the plain store",
          0.7,
          READS,
          new Race()
              .add("plain", () -> reads(plain))
              .add("safe", () -> reads(safe))
              .run(lab.rounds, lab.size(20, 5), lab.warmUpMillis()));
      report(
          lab,
          "encrypted, append one turn and getItems(20): rate over the plain store",
          0.7,
          BLOCK,
          new Race()
              .add("plain", () -> turns(plain))
              .add("safe", () -> turns(safe))
              .run(lab.rounds, lab.size(40, 10), lab.warmUpMillis()));
    }
  }

  private static void report(Lab lab, String what, double least, int count, Times times) {
    lab.report(
        what,
        times.ratio("plain", "safe"),
        "",
        Target.atLeast(least),
        "encrypted "
            + times.micros("safe", count)
            + " µs each, plain "
            + times.micros("plain", count));
  }

  private static long reads(ClewStore store) {
    long start = System.nanoTime();
    for (int i = 0; i < READS; i++) {
      if (store.last("read", LIMIT) != LIMIT) {
        throw new IllegalStateException("there are not " + LIMIT + " items");
      }
    }
    return System.nanoTime() - start;
  }

  private static long turns(ClewStore store) {
    long start = System.nanoTime();
    for (int i = 0; i < BLOCK; i++) {
      store.append("turns", Turn.of(i));
      store.last("turns", LIMIT);
    }
    return System.nanoTime() - start;
  }
}
