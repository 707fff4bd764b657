package dev.clew.tck;

import dev.clew.Records;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The records of a {@link FaultyStore}. Thread-safe. */
final class FaultyRecords implements Records {
  private final FaultyStore store;

  FaultyRecords(FaultyStore store) {
    this.store = store;
  }

  @Override
  public Optional<StoredRecord> get(String owner, String name) {
    return store.call(
        "records.get", Optional.empty(), () -> store.behind().records().get(owner, name));
  }

  @Override
  public StoredRecord put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    return store.call(
        "records.put",
        Optional.empty(),
        () -> store.behind().records().put(owner, name, json, expectedVersion, timeToLive));
  }

  @Override
  public boolean delete(String owner, String name) {
    return store.call(
        "records.delete", Optional.empty(), () -> store.behind().records().delete(owner, name));
  }

  @Override
  public List<StoredRecord> list(String owner, String prefix, Optional<String> after, int limit) {
    return store.call(
        "records.list",
        Optional.empty(),
        () -> store.behind().records().list(owner, prefix, after, limit));
  }
}
