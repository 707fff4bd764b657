package dev.clew.decorate;

import dev.clew.Records;
import dev.clew.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The records of a {@link DeadlineStore}. Thread-safe. */
final class DeadlineRecords implements Records {
  private final SessionStore store;
  private final Deadline deadline;

  DeadlineRecords(SessionStore store, Deadline deadline) {
    this.store = store;
    this.deadline = deadline;
  }

  @Override
  public Optional<StoredRecord> get(String owner, String name) {
    return deadline.read("get", () -> store.records().get(owner, name));
  }

  @Override
  public StoredRecord put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    return deadline.write(
        "put", () -> store.records().put(owner, name, json, expectedVersion, timeToLive));
  }

  @Override
  public boolean delete(String owner, String name) {
    return deadline.write("delete", () -> store.records().delete(owner, name));
  }

  @Override
  public List<StoredRecord> list(String owner, String prefix, Optional<String> after, int limit) {
    return deadline.read("list", () -> store.records().list(owner, prefix, after, limit));
  }
}
