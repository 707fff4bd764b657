package dev.clew.sqlite;

import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * How long this process stands back before a commit, so that other processes get the lock as well.
 * Used by one thread at a time, the one that commits.
 *
 * <p>SQLite's lock is not fair: who has just let it go gets it back, unless it waits a little. That
 * is enough among processes of ours, which look for the lock every few milliseconds. A guest, a
 * program that writes to the tables without us, uses SQLite's own {@code busy_timeout}, which after
 * a while looks only ten times a second: it gets in if the lock is free about half of the time. So
 * as long as a guest that wrote lately has not been heard of for {@value #PATIENT_NANOS} ns, each
 * of us stays away as long as it held the lock, and longer the more often it found the lock taken,
 * which brings all of us together to that half.
 */
final class Fairness {
  private static final long RIVAL_MEMORY_NANOS = 50_000_000;
  private static final long GUEST_MEMORY_NANOS = 2_000_000_000;
  private static final long PATIENT_NANOS = 25_000_000;
  private static final long LOOK_NANOS = 2_000_000;
  private static final long SHORT_NANOS = 300_000;
  private static final long LONGEST_NANOS = 40_000_000;
  private static final long WAITED_NANOS = 80_000;

  /** Rows looked at for a guest's, if very many came at once. */
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

  /** Whether others wrote to the file a moment ago. */
  boolean rivals() {
    return rivals;
  }

  /** Waits before a commit, if others are about. */
  void standBack() {
    if (!rivals && !guest) {
      return;
    }
    long now = System.nanoTime();
    long pause = guest && now - guestSeenAt > PATIENT_NANOS ? guestPause : SHORT_NANOS;
    long end = now + pause / 2 + ThreadLocalRandom.current().nextLong(pause);
    for (long left = end - now; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left); // which may return at once: somebody has woken us before
    }
  }

  /** We have the lock, after asking for it at a time. */
  void locked(Db db, long askedAt) throws SQLException {
    long now = System.nanoTime();
    lockedAt = now;
    if (!rivals && !guest && now - lookedAt < LOOK_NANOS) {
      return; // looking takes longer than anything else we do of our own
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

  /** We have let the lock go. */
  void released() {
    if (guest) {
      guestPause = Math.max(guestPause, Math.min(LONGEST_NANOS, System.nanoTime() - lockedAt));
    }
  }
}
