package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.redis.RedisStore;
import dev.clew.testservers.RedisServer;

/**
 * The Redis store beside the bare commands, on a server of this run. Stateless.
 *
 * <p>The server keeps nothing on disk: then what the store adds weighs most.
 */
final class RedisRow implements Row {
  private static final int BLOCK = 200;
  private static final int READS = 200;
  private static final int LARGEST = 50_000;

  @Override
  public void measure(Lab lab) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      compareAppends(lab, server);
      compareReads(lab, server);
      flat(lab, server);
    }
  }

  private static SessionStore open(RedisServer server, String prefix) {
    return RedisStore.open(server.url(prefix));
  }

  private static void compareAppends(Lab lab, RedisServer server) throws Exception {
    try (ClewStore clew = new ClewStore(open(server, "one"));
        RedisLoop bare = new RedisLoop(server.port())) {
      Times times =
          new Race()
              .add("clew", new Appends(clew, BLOCK, turn -> "s"))
              .add("bare", new Appends(bare, BLOCK, turn -> "s"))
              .add("push", new Appends(bare.onlyPush(), BLOCK, turn -> "s"))
              .run(lab.rounds, lab.size(20, 4), lab.warmUpMillis());
      lab.report(
          "Redis, append one turn: rate over a bare EVALSHA of its script",
          times.ratio("bare", "clew"),
          "",
          Target.atLeast(0.8),
          "Clew "
              + times.perSecond("clew", BLOCK)
              + " turns/s, bare "
              + times.perSecond("bare", BLOCK));
      lab.report(
          "… over a script that only pushes",
          times.ratio("push", "clew"),
          "",
          Target.NONE,
          "only pushing " + times.perSecond("push", BLOCK) + " turns/s");
    }
  }

  /*
   * Two clients of one process differ by up to half for as long as they are connected, whichever
   * is which: their threads come to lie on the cores in one way or another. So each round has new
   * ones.
   */
  private static void compareReads(Lab lab, RedisServer server) throws Exception {
    int rounds = lab.rounds * 12;
    double[] ratios = new double[rounds];
    double[] clewMicros = new double[rounds];
    double[] bareMicros = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      try (ClewStore clew = new ClewStore(open(server, "one"));
          RedisLoop bare = new RedisLoop(server.port())) {
        Times times =
            new Race()
                .add("clew", reads(() -> clew.last("s", Jdbc.LIMIT)))
                .add("bare", reads(() -> bare.last()))
                .run(1, lab.size(10, 2), lab.warmUpMillis() / 16);
        ratios[round] = times.ratio("bare", "clew").median();
        clewMicros[round] = times.micros("clew", READS).median();
        bareMicros[round] = times.micros("bare", READS).median();
      }
    }
    lab.report(
        "Redis, getItems(20): rate over a bare LRANGE",
        Samples.of(ratios),
        "",
        Target.atLeast(0.9),
        "Clew " + Samples.of(clewMicros) + " µs, bare " + Samples.of(bareMicros));
  }

  private interface Read {
    int run();
  }

  private static Race.Block reads(Read read) {
    return () -> {
      long start = System.nanoTime();
      for (int i = 0; i < READS; i++) {
        if (read.run() != Jdbc.LIMIT) {
          throw new IllegalStateException("not " + Jdbc.LIMIT + " items");
        }
      }
      return System.nanoTime() - start;
    };
  }

  private static void flat(Lab lab, RedisServer server) throws Exception {
    Flatness flatness = new Flatness(lab, LARGEST);
    try (SessionStore store = open(server, "flat")) {
      flatness.fill(store);
      flatness.appends("Redis, append one turn", store);
      flatness.reads("Redis, getItems(20)", store, READS);
    }
  }
}
