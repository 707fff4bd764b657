package dev.clew.sqlite;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each damaged row once, by key and position, never its content. Thread-safe. */
final class DamageReports {
  private static final Logger LOG = LoggerFactory.getLogger(DamageReports.class);
  private static final int REMEMBERED = 10_000;
  private final AtomicLong count = new AtomicLong();
  private final Set<Long> seen = new LinkedHashSet<>();
  private final String where;

  DamageReports(String where) {
    this.where = where;
  }

  void found(String sessionId, long position) {
    if (isNew(position)) {
      count.incrementAndGet();
      LOG.warn(
          "{}: the record at position {} of session {} is damaged and was skipped; see 'clew doctor'",
          where,
          position,
          sessionId);
    }
  }

  /**
   * Of more than can be remembered the oldest is forgotten, and logged again if it is met again.
   */
  private boolean isNew(long position) {
    synchronized (seen) {
      if (!seen.add(position)) {
        return false;
      }
      if (seen.size() > REMEMBERED) {
        seen.remove(seen.iterator().next());
      }
      return true;
    }
  }

  long count() {
    return count.get();
  }
}
