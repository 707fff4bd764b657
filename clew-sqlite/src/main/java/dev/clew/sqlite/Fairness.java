package dev.clew.sqlite;

import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses before a commit, so that other processes get the lock too. Used by the thread that
 * commits.
 *
 * <p>SQLite's lock is unfair: the process that released it gets it back, unless it pauses. A short
 * pause is enough among our processes, which try every few milliseconds. A guest, a program that
 * writes without us, uses SQLite's {@code busy_timeout}, which soon tries only ten times a second,
 * and needs the lock to be free half of the time. So if a guest wrote recently but not within
 * {@value #PATIENT_NANOS} ns, we pause as long as we held the lock, and longer the more often we
 * found it taken.
 */
final class Fairness {
  private static final long RIVAL_MEMORY_NANOS = 50_000_000;
  private static final long GUEST_MEMORY_NANOS = 2_000_000_000;
  private static final long PATIENT_NANOS = 25_000_000;
  private static final long LOOK_NANOS = 2_000_000;
  private static final long SHORT_NANOS = 300_000;
  private static final long LONGEST_NANOS = 40_000_000;
  private static final long WAITED_NANOS = 80_000;

  /** How many rows to search for a guest's, if very many were added at once. */
  private static final int LOOK_BACK = 500;

  private long dataVersion = -1;
  private long lastId = -1;
  private boolean rivals;
  private long rivalSeenAt;
  private boolean guest;
  private long guestSeenAt;
  private long guestPause = SHORT_NANOS;
  private long lockedAt;
  private long lookedAt = System.nanoTime();

  /** Whether other processes wrote to the file a moment ago. */
  boolean rivals() {
    return rivals;
  }

  /** Pauses before a commit, if other processes write. */
  void standBack() {
    if (!rivals && !guest) {
      return;
    }
    long now = System.nanoTime();
    long pause = guest && now - guestSeenAt > PATIENT_NANOS ? guestPause : SHORT_NANOS;
    long end = now + pause / 2 + ThreadLocalRandom.current().nextLong(pause);
    for (long left = end - now; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left); // may return early
    }
  }

  /** Called when we have the lock, which we asked for at {@code askedAt}. */
  void locked(Db db, long askedAt) throws SQLException {
    long now = System.nanoTime();
    lockedAt = now;
    if (!rivals && !guest && now - lookedAt < LOOK_NANOS) {
      return; // the check is the slowest thing we do
    }
    lookedAt = now;
    long version = db.number(0, "PRAGMA data_version");
    if (dataVersion >= 0 && version != dataVersion) {
      rivals = true;
      rivalSeenAt = now;
      lookForGuests(db, now);
    } else if (rivals && now - rivalSeenAt > RIVAL_MEMORY_NANOS) {
      rivals = false;
    }
    dataVersion = version;
    if (guest) {
      boolean waited = now - askedAt > WAITED_NANOS;
      long quiet = now - guestSeenAt;
      if (quiet > GUEST_MEMORY_NANOS) {
        guest = false;
        guestPause = SHORT_NANOS;
      } else if (quiet > PATIENT_NANOS) {
        guestPause = waited ? Math.min(LONGEST_NANOS, guestPause * 3 / 2) : guestPause * 4 / 5;
      }
    }
  }

  private void lookForGuests(Db db, long now) throws SQLException {
    long last = db.number(0, "SELECT max(id) FROM {messages}");
    if (lastId >= 0
        && db.exists(
            "SELECT 1 FROM {messages} WHERE id > ? AND clew_crc IS NULL LIMIT 1",
            Math.max(lastId, last - LOOK_BACK))) {
      guest = true;
      guestSeenAt = now;
    }
    lastId = last;
  }

  /** Called when we released the lock. */
  void released() {
    if (guest) {
      guestPause = Math.max(guestPause, Math.min(LONGEST_NANOS, System.nanoTime() - lockedAt));
    }
  }
}
