package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import java.util.List;

/**
 * How much more memory a store takes with many sessions in use than the driver alone doing the same
 * work, each in a JVM of its own. Stateless.
 */
final class MemoryRow implements Row {
  private static final double MIB = 1 << 20;

  private record Grown(double heap, double outside) {
    double sum() {
      return heap + outside;
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    String sessions = Integer.toString(lab.size(2_000, 200));
    double[] overhead = new double[lab.size(3, 1)];
    double[] heap = new double[overhead.length];
    double[] outside = new double[overhead.length];
    double[] bare = new double[overhead.length];
    for (int i = 0; i < overhead.length; i++) {
      Grown clew = grown(lab, "memory", i, sessions);
      Grown driver = grown(lab, "memory-bare", i, sessions);
      overhead[i] = clew.sum() - driver.sum();
      heap[i] = clew.heap();
      outside[i] = clew.outside();
      bare[i] = driver.sum();
    }
    lab.report(
        "memory with 2,000 active sessions, over the bare driver",
        Samples.of(overhead),
        " MiB",
        Target.atMost(64),
        "Clew: heap after GC "
            + Samples.of(heap)
            + " MiB, outside of it (SQLite's pages, classes, compiled code) "
            + Samples.of(outside)
            + "; bare driver in all "
            + Samples.of(bare));
  }

  private static Grown grown(Lab lab, String part, int round, String sessions) throws Exception {
    List<String> options =
        List.of("-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");
    String file = lab.file(part + round + ".db").toString();
    try (Child child = Child.jvm(options, part, file, sessions)) {
      var found = child.result();
      return new Grown(
          found.getOrDefault("heap", 0L) / MIB, found.getOrDefault("outside", 0L) / MIB);
    }
  }
}
