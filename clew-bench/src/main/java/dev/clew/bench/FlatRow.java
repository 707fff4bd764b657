package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;

/** {@link Flatness} of the SQLite store. Stateless. */
final class FlatRow implements Row {
  private static final int LARGEST = 500_000;
  private static final int READS = 200;

  @Override
  public void measure(Lab lab) throws Exception {
    Path file = lab.file("flat.db");
    Flatness flatness = new Flatness(lab, LARGEST);
    try (Fixture fixture = new Fixture(file)) {
      flatness.fill(fixture::session);
    }
    try (SessionStore store = SqliteStore.open(file)) {
      flatness.appends("append one turn", store);
      flatness.reads("getItems(20), hot", store, READS);
    }
    try (SessionStore uncached = SqliteStore.builder(file.toString()).cacheBytes(0).open()) {
      flatness.reads("getItems(20), not cached", uncached, READS);
    }
  }
}
