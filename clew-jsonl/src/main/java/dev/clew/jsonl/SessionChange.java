package dev.clew.jsonl;

import dev.clew.Commit.Fence;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.kit.state.SessionState;
import dev.clew.kit.state.Transactions;
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
    if (file != null && file.state().hasExpired(files.timeToLive(), now)) {
      remove(file);
    }
    return Optional.ofNullable(file);
  }

  /** Makes the session that {@link #find} did not find. */
  SessionState create(Instant at, Optional<SessionInfo.Parent> parent) {
    SessionFile made = files.create(key, at, parent);
    file = made;
    return made.state();
  }

  /** Removes the session. */
  void remove(SessionFile found) {
    files.remove(found);
    file = null;
  }

  /** Where a transaction finds or makes the session. */
  Transactions.Place place(JsonlLeases leases) {
    return new Transactions.Place() {
      @Override
      public Optional<SessionState> find() {
        return SessionChange.this.find().map(SessionFile::state);
      }

      @Override
      public SessionState create(Instant at) {
        return SessionChange.this.create(at, Optional.empty());
      }

      @Override
      public boolean hasExpired(SessionState state) {
        return state.hasExpired(files.timeToLive(), now);
      }

      @Override
      public void check(Fence fence) {
        leases.check(key, fence);
      }
    };
  }

  /** Leaves nothing on the disk but what the session holds now: no line that was taken out. */
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

  /** Forgets what may not be what the disk has. */
  void abandon() {
    if (file != null && file.hasChanges()) {
      files.discard(file);
    }
  }
}
