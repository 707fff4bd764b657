package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;

/** One thread appends turns to one session. Stateless. */
final class AppendRow implements Row {
  private static final int BLOCK = 25;

  @Override
  public void measure(Lab lab) throws Exception {
    Path bareFile = lab.file("bare.db");
    ClewStore.create(bareFile);
    try (ClewStore clew = new ClewStore(lab.file("clew.db"));
        BareLoop bare = new BareLoop(bareFile);
        SeedLoop seed = new SeedLoop(lab.file("seed.db"));
        PlainFile file = new PlainFile(lab.file("plain.jsonl"))) {
      Times times =
          new Race()
              .add("clew", appends(clew))
              .add("bare", appends(bare))
              .add("seed", appends(seed))
              .add("file", appends(file))
              .run(lab.rounds, lab.size(40, 4), lab.warmUpMillis());
      lab.report(
          "append one turn, one thread: rate over bare JDBC",
          times.ratio("bare", "clew"),
          "",
          Target.atLeast(0.9),
          "Clew "
              + times.perSecond("clew", BLOCK)
              + " turns/s, bare "
              + times.perSecond("bare", BLOCK));
      lab.report(
          "… over bare JDBC on the seed tables alone",
          times.ratio("seed", "clew"),
          "",
          Target.NONE,
          "bare on the seed tables " + times.perSecond("seed", BLOCK) + " turns/s");
      lab.report(
          "… over append and sync of a plain file",
          times.ratio("file", "clew"),
          "",
          Target.NONE,
          "file " + times.perSecond("file", BLOCK) + " turns/s");
    }
  }

  private static Race.Block appends(Appender appender) {
    return new Appends(appender, BLOCK, turn -> "s");
  }
}
