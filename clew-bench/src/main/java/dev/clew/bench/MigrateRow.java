package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.testservers.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How fast sessions go from SQLite to PostgreSQL, read back and compared, in a fresh JVM with a
 * small heap. Stateless.
 */
final class MigrateRow implements Row {
  private static final int ITEMS = 200_000;
  private static final int SHORT = 100;

  @Override
  public void measure(Lab lab) throws Exception {
    int items = lab.size(ITEMS, ITEMS / 20);
    try (PostgresServer server =
        PostgresServer.start(lab.file("migrate-postgres"), Map.of("fsync", "on"))) {
      measure(lab, server, "one session", items, items);
      measure(lab, server, "sessions of " + SHORT, items, SHORT);
    }
  }

  private static void measure(
      Lab lab, PostgresServer server, String what, int items, int sessionItems) throws Exception {
    Path file = lab.file("migrate-" + sessionItems + ".db");
    try (Fixture fixture = new Fixture(file)) {
      for (int i = 0; i < items / sessionItems; i++) {
        fixture.session("s" + i, sessionItems);
      }
    }
    double[] rates = new double[lab.size(3, 1)];
    for (int round = 0; round < rates.length; round++) {
      String url = server.url("m" + sessionItems + "_" + round);
      try (Child child =
          Child.jvm(List.of("-Xmx128m", "-XX:+UseSerialGC"), "migrate", file.toString(), url)) {
        Map<String, Long> found = child.result();
        if (found.getOrDefault("items", 0L) != items) {
          throw new IllegalStateException("not all items were moved: " + found);
        }
        rates[round] = items / (found.getOrDefault("nanos", 1L) / 1e9);
      }
    }
    lab.report(
        String.format("migrate %,d items, %s, SQLite to PostgreSQL, 128 MiB", items, what),
        Samples.of(rates),
        " items/s",
        Target.atLeast(20_000),
        "read, written, read back and compared, in a fresh JVM");
  }
}
