package dev.clew.decorate;

import dev.clew.Records;
import dev.clew.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The records of a {@link RetryingStore}. Thread-safe. */
final class RetryingRecords implements Records {
  private final SessionStore store;
  private final Attempts attempts;

  RetryingRecords(SessionStore store, Attempts attempts) {
    this.store = store;
    this.attempts = attempts;
  }

  @Override
  public Optional<StoredRecord> get(String owner, String name) {
    return attempts.repeat("get", () -> store.records().get(owner, name));
  }

  @Override
  public StoredRecord put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    return attempts.repeatWithCondition(
        "put", () -> store.records().put(owner, name, json, expectedVersion, timeToLive));
  }

  @Override
  public boolean delete(String owner, String name) {
    return attempts.repeat("delete", () -> store.records().delete(owner, name));
  }

  @Override
  public List<StoredRecord> list(String owner, String prefix, Optional<String> after, int limit) {
    return attempts.repeat("list", () -> store.records().list(owner, prefix, after, limit));
  }
}
