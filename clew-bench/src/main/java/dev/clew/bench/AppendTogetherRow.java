package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import java.nio.file.Path;

/** Eight threads append at once, to sessions of their own and to one they share. Stateless. */
final class AppendTogetherRow implements Row {
  private static final int ALONE = 100;
  private static final int THREADS = 8;
  private static final int EACH = 50;
  private static final int TOGETHER = EACH * THREADS;

  @Override
  public void measure(Lab lab) throws Exception {
    Path bareFile = lab.file("bare.db");
    ClewStore.create(bareFile);
    try (ClewStore clew = new ClewStore(lab.file("clew.db"));
        BareLoop bare = new BareLoop(bareFile);
        PlainFile file = new PlainFile(lab.file("plain.jsonl"));
        Crowd own = new Crowd(clew, THREADS, EACH, thread -> "own" + thread);
        Crowd shared = new Crowd(clew, THREADS, EACH, thread -> "shared")) {
      Times times =
          new Race()
              .add("one", new Appends(clew, ALONE, turn -> "alone"))
              .add("own", own)
              .add("shared", shared)
              .add("bare", new Appends(bare, ALONE, turn -> "alone"))
              .add("file", new Appends(file, ALONE, turn -> "alone"))
              .run(lab.rounds, lab.size(10, 2), lab.warmUpMillis());
      own.verify(clew.store);
      shared.verify(clew.store);
      double scale = (double) TOGETHER / ALONE;
      report(lab, times, "own", "append, 8 threads, own sessions", 3.0, scale);
      report(lab, times, "shared", "append, 8 threads, one session", 3.5, scale);
    }
  }

  private static void report(
      Lab lab, Times times, String who, String what, double bound, double scale) {
    lab.report(
        what + ": rate over one thread",
        times.ratio("one", who).times(scale),
        "",
        Target.atLeast(bound),
        "together "
            + times.perSecond(who, TOGETHER)
            + " turns/s, alone "
            + times.perSecond("one", ALONE)
            + "; nothing lost, order kept");
    lab.report(
        "… over bare JDBC in one thread",
        times.ratio("bare", who).times(scale),
        "",
        Target.NONE,
        "bare " + times.perSecond("bare", ALONE) + " turns/s");
    lab.report(
        "… over append and sync of a plain file in one thread",
        times.ratio("file", who).times(scale),
        "",
        Target.NONE,
        "file " + times.perSecond("file", ALONE) + " turns/s");
  }
}
