package dev.clew.jsonl;

import dev.clew.SessionKey;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One change of one session, from finding it to committing it. Used by one thread. */
final class SessionChange {
  private final SessionFiles files;
  private final SessionKey key;
  private final Instant now;
  private final boolean whole;
  private @Nullable SessionFile file;

  SessionChange(SessionFiles files, SessionKey key, Instant now, boolean whole) {
    this.files = files;
    this.key = key;
    this.now = now;
    this.whole = whole;
  }

  /** The session, if it exists; one that has expired is removed. */
  Optional<SessionFile> find() {
    file = files.load(key, whole);
    if (file != null && file.hasExpired(files.timeToLive(), now)) {
      remove(file);
    }
    return Optional.ofNullable(file);
  }

  /** The session, which is new if it does not exist; one without changes is not written. */
  SessionFile findOrCreate() {
    SessionFile found = find().orElseGet(() -> files.create(key));
    file = found;
    return found;
  }

  void remove(SessionFile found) {
    files.remove(found);
    file = null;
  }

  /** Leaves nothing in the file but what the session has now. */
  void leaveNothingElse() {
    if (file != null && !file.isNew()) {
      file.dropRest();
    }
  }

  void commit() {
    if (file != null && file.hasChanges()) {
      files.commit(file);
    }
  }

  /** Drops a state that may differ from the file. */
  void abandon() {
    if (file != null && file.hasChanges()) {
      files.discard(file);
    }
  }
}
