package dev.clew.migrate;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Copies the documents of one owner that stand beside the sessions. Not thread-safe. */
final class DocumentCopy {
  private final Documents from;
  private final Documents to;
  private final boolean dryRun;
  private final MigrationListener listener;
  private final Clock clock;
  private long moved;
  private long refused;

  DocumentCopy(
      SessionStore from, SessionStore to, boolean dryRun, MigrationListener listener, Clock clock) {
    this.from = from.documents();
    this.to = to.documents();
    this.dryRun = dryRun;
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
    from.walk(owner, "").forEach(this::copy);
  }

  private void copy(Document document) {
    Optional<Duration> life =
        document.expiresAt().map(end -> Duration.between(clock.instant(), end));
    if (life.isPresent() && life.get().toMillis() < 1) {
      return; // it has just expired
    }
    Optional<Document> there = to.get(document.owner(), document.name());
    if (there.isPresent()) {
      if (!there.get().json().equals(document.json())) {
        refuse(document);
      }
      return;
    }
    moved++;
    if (!dryRun) {
      try {
        to.put(document.owner(), document.name(), document.json(), OptionalLong.of(0), life);
      } catch (ClewException.VersionConflict e) {
        moved--;
        refuse(document);
      }
    }
  }

  private void refuse(Document document) {
    refused++;
    listener.recordRefused(document.owner(), document.name());
  }
}
