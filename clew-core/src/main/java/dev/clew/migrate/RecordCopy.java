package dev.clew.migrate;

import dev.clew.ClewException;
import dev.clew.Records;
import dev.clew.Records.StoredRecord;
import dev.clew.SessionStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Copies the documents of one owner that stand beside the sessions. Not thread-safe. */
final class RecordCopy {
  private static final int PAGE = 100;

  private final Records from;
  private final Records to;
  private final boolean rehearsal;
  private final MigrationListener listener;
  private final Clock clock;
  private long moved;
  private long refused;

  RecordCopy(
      SessionStore from,
      SessionStore to,
      boolean rehearsal,
      MigrationListener listener,
      Clock clock) {
    this.from = from.records();
    this.to = to.records();
    this.rehearsal = rehearsal;
    this.listener = listener;
    this.clock = clock;
  }

  long moved() {
    return moved;
  }

  long refused() {
    return refused;
  }

  void copy(String owner) {
    List<StoredRecord> page = from.list(owner, "", Optional.empty(), PAGE);
    while (!page.isEmpty()) {
      page.forEach(this::copy);
      String last = page.get(page.size() - 1).name();
      page = from.list(owner, "", Optional.of(last), PAGE);
    }
  }

  private void copy(StoredRecord document) {
    Optional<Duration> life =
        document.expiresAt().map(end -> Duration.between(clock.instant(), end));
    if (life.isPresent() && life.get().toMillis() < 1) {
      return; // it has just expired
    }
    Optional<StoredRecord> there = to.get(document.owner(), document.name());
    if (there.isPresent()) {
      if (!there.get().json().equals(document.json())) {
        refuse(document);
      }
      return;
    }
    moved++;
    if (!rehearsal) {
      try {
        to.put(document.owner(), document.name(), document.json(), OptionalLong.of(0), life);
      } catch (ClewException.VersionConflict e) {
        moved--;
        refuse(document);
      }
    }
  }

  private void refuse(StoredRecord document) {
    refused++;
    listener.recordRefused(document.owner(), document.name());
  }
}
