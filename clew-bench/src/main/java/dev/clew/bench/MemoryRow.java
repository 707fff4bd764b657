package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import java.util.List;

/** How much memory a store takes with many sessions in use, in a JVM of its own. Stateless. */
final class MemoryRow implements Row {
  private static final double MIB = 1 << 20;

  @Override
  public void measure(Lab lab) throws Exception {
    String sessions = Integer.toString(lab.size(2_000, 200));
    double[] heap = new double[lab.size(3, 1)];
    double[] outside = new double[heap.length];
    double[] sum = new double[heap.length];
    for (int i = 0; i < heap.length; i++) {
      List<String> options =
          List.of("-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");
      try (Child child =
          Child.jvm(options, "memory", lab.file("memory" + i + ".db").toString(), sessions)) {
        var found = child.result();
        heap[i] = found.getOrDefault("heap", 0L) / MIB;
        outside[i] = found.getOrDefault("outside", 0L) / MIB;
        sum[i] = heap[i] + outside[i];
      }
    }
    lab.report(
        "memory of a store with 2,000 active sessions",
        Samples.of(sum),
        " MiB",
        Target.atMost(64),
        "heap after GC "
            + Samples.of(heap)
            + " MiB; outside of it (SQLite's pages, classes, compiled code) "
            + Samples.of(outside));
  }
}
