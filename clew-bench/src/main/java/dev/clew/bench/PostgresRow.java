package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.postgres.PostgresStore;
import dev.clew.testservers.PostgresServer;
import java.util.Map;

/** The PostgreSQL store beside its own statements, on a server of this run. Stateless. */
final class PostgresRow implements Row {
  private static final int BLOCK = 25;
  private static final int THREADS = 16;
  private static final int EACH = 25;
  private static final int READS = 100;
  private static final int LARGEST = 50_000;

  @Override
  public void measure(Lab lab) throws Exception {
    try (PostgresServer server =
        PostgresServer.start(lab.file("postgres"), Map.of("fsync", "on"))) {
      append(lab, server);
      together(lab, server);
      flat(lab, server);
    }
  }

  private static SessionStore open(PostgresServer server, String schema) {
    return PostgresStore.open(server.url(schema));
  }

  private static PostgresLoop bare(PostgresServer server, String schema) throws Exception {
    try (ClewStore clew = new ClewStore(open(server, schema))) {
      clew.append("s", Turn.of(0));
    }
    return new PostgresLoop(server.jdbcUrl(), schema);
  }

  private static void append(Lab lab, PostgresServer server) throws Exception {
    try (ClewStore clew = new ClewStore(open(server, "one"));
        PostgresLoop bare = bare(server, "bare")) {
      clew.append("s", Turn.of(0));
      Times times =
          new Race()
              .add("clew", new Appends(clew, BLOCK, turn -> "s"))
              .add("bare", new Appends(bare, BLOCK, turn -> "s"))
              .run(lab.rounds, lab.size(40, 4), lab.warmUpMillis());
      lab.report(
          "PostgreSQL, append one turn, 1 client: rate over bare JDBC",
          times.ratio("bare", "clew"),
          "",
          Target.atLeast(0.8),
          "Clew "
              + times.perSecond("clew", BLOCK)
              + " turns/s, bare "
              + times.perSecond("bare", BLOCK));
      Times reads =
          new Race()
              .add("clew", reads(() -> clew.last("s", Jdbc.LIMIT)))
              .add("bare", reads(() -> bare.last("s")))
              .run(lab.rounds, lab.size(20, 3), lab.warmUpMillis());
      lab.report(
          "PostgreSQL, getItems(20): rate over the bare query",
          reads.ratio("bare", "clew"),
          "",
          Target.NONE,
          "Clew " + reads.micros("clew", READS) + " µs, bare " + reads.micros("bare", READS));
    }
  }

  private interface Read {
    int run() throws Exception;
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

  private static void together(Lab lab, PostgresServer server) throws Exception {
    try (ClewStore clew = new ClewStore(open(server, "many"));
        Crowd own = new Crowd(clew, THREADS, EACH, thread -> "own" + thread);
        Crowd shared = new Crowd(clew, THREADS, EACH, thread -> "shared")) {
      Times times =
          new Race()
              .add("one", new Appends(clew, BLOCK, turn -> "alone"))
              .add("own", own)
              .add("shared", shared)
              .run(lab.rounds, lab.size(15, 2), lab.warmUpMillis());
      own.verify(clew.store);
      shared.verify(clew.store);
      report(lab, times, "own", "own sessions");
      report(lab, times, "shared", "one session");
    }
  }

  private static void report(Lab lab, Times times, String who, String what) {
    lab.report(
        "PostgreSQL, append, 16 threads, " + what + ": rate over one",
        times.ratio("one", who).times((double) THREADS * EACH / BLOCK),
        "",
        Target.atLeast(4),
        "together "
            + times.perSecond(who, THREADS * EACH)
            + " turns/s, alone "
            + times.perSecond("one", BLOCK)
            + "; nothing lost, order kept");
  }

  private static void flat(Lab lab, PostgresServer server) throws Exception {
    Flatness flatness = new Flatness(lab, LARGEST);
    try (SessionStore store = open(server, "flat")) {
      flatness.fill(store);
      flatness.appends("PostgreSQL, append one turn", store);
      flatness.reads("PostgreSQL, getItems(20)", store, READS);
    }
  }
}
