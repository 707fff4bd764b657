package dev.clew.tck;

import dev.clew.Documents;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The records of a {@link FaultyStore}. Thread-safe. */
final class FaultyRecords implements Documents {
  private final FaultyStore store;

  FaultyRecords(FaultyStore store) {
    this.store = store;
  }

  @Override
  public Optional<Document> get(String owner, String name) {
    return store.call(
        "records.get", Optional.empty(), () -> store.behind().documents().get(owner, name));
  }

  @Override
  public Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    return store.call(
        "records.put",
        Optional.empty(),
        () -> store.behind().documents().put(owner, name, json, expectedVersion, timeToLive));
  }

  @Override
  public boolean delete(String owner, String name) {
    return store.call(
        "records.delete", Optional.empty(), () -> store.behind().documents().delete(owner, name));
  }

  @Override
  public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    return store.call(
        "records.list",
        Optional.empty(),
        () -> store.behind().documents().list(owner, prefix, after, limit));
  }
}
