package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Writes 2,000 sessions round robin, five turns each, then reads the last 20 items of random ones.
 * Stateless.
 */
final class ManySessionsRow implements Row {
  private static final int BLOCK = 100;
  private static final int READS = 200;
  private static final int TURNS_EACH = 5;

  @Override
  public void measure(Lab lab) throws Exception {
    int sessions = lab.size(2_000, 200);
    int cycles = sessions * TURNS_EACH / BLOCK;
    double[] writes = new double[lab.rounds];
    double[] overFile = new double[lab.rounds];
    double[] reads = new double[lab.rounds];
    double[] rates = new double[lab.rounds];
    double[] readMicros = new double[lab.rounds];
    for (int round = 0; round < lab.rounds; round++) {
      Path bareFile = lab.file("bare.db");
      ClewStore.create(bareFile);
      try (ClewStore clew = new ClewStore(lab.file("clew.db"));
          BareLoop bare = new BareLoop(bareFile);
          Jdbc bareReader = Jdbc.open(bareFile);
          PlainFile file = new PlainFile(lab.file("plain.jsonl"))) {
        // Another session each: it warms up, and is not among those that are counted.
        warmUp(lab, clew, bare);
        Times written =
            new Race()
                .add("clew", roundRobin(clew, sessions))
                .add("bare", roundRobin(bare, sessions))
                .add("file", roundRobin(file, sessions))
                .runOnce(cycles);
        writes[round] = written.ratio("bare", "clew").median();
        overFile[round] = written.ratio("file", "clew").median();
        rates[round] = written.perSecond("clew", BLOCK).median();
        Times read =
            new Race()
                .add("clew", randomReads(sessions, id -> clew.last(id, 20)))
                .add("bare", randomReads(sessions, id -> bareReader.last(id)))
                .runOnce(sessions / READS);
        reads[round] = read.ratio("bare", "clew").median();
        readMicros[round] = read.micros("clew", READS).median();
      }
      lab.clean();
    }
    lab.report(
        "2,000 sessions, 5 turns each, round robin: rate over bare JDBC",
        Samples.of(writes),
        "",
        Target.atLeast(0.85),
        "Clew " + Samples.of(rates) + " turns/s");
    lab.report("… over append and sync of a plain file", Samples.of(overFile), "", Target.NONE, "");
    lab.report(
        "then the last 20 of random ones: rate over the bare query",
        Samples.of(reads),
        "",
        Target.atLeast(2),
        "Clew " + Samples.of(readMicros) + " µs");
  }

  private static void warmUp(Lab lab, ClewStore clew, BareLoop bare) throws Exception {
    new Race()
        .add("clew", new Appends(clew, BLOCK, turn -> "warm" + turn / 5))
        .add("bare", new Appends(bare, BLOCK, turn -> "warm" + turn / 5))
        .run(1, 1, lab.warmUpMillis() / 2);
  }

  private static Race.Block roundRobin(Appender appender, int sessions) {
    return new Appends(appender, BLOCK, turn -> id(turn % sessions));
  }

  private static String id(int i) {
    return String.format(Locale.ROOT, "s%05d", i);
  }

  private interface Read {
    int items(String session) throws Exception;
  }

  private static Race.Block randomReads(int sessions, Read read) {
    Random random = new Random(42);
    return () -> {
      List<String> ids = new ArrayList<>(READS);
      for (int i = 0; i < READS; i++) {
        ids.add(id(random.nextInt(sessions)));
      }
      long start = System.nanoTime();
      for (String id : ids) {
        if (read.items(id) != TURNS_EACH * Turn.ITEMS) {
          throw new IllegalStateException(id + " has not its 20 items");
        }
      }
      return System.nanoTime() - start;
    };
  }
}
