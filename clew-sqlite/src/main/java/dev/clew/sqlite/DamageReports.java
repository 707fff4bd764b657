package dev.clew.sqlite;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each damaged row once, by key and position, never its content. Thread-safe. */
final class DamageReports {
  private static final Logger LOG = LoggerFactory.getLogger(DamageReports.class);
  private static final int REMEMBERED = 10_000;
  private final AtomicLong count = new AtomicLong();
  private final String where;

  /** Made when the first damage is found, which is hoped to be never. */
  private static final class Seen {
    final Cache<Long, Boolean> positions = Caffeine.newBuilder().maximumSize(REMEMBERED).build();
  }

  private volatile @org.jspecify.annotations.Nullable Seen seen;

  DamageReports(String where) {
    this.where = where;
  }

  void found(String sessionId, long position) {
    Seen known = seen;
    if (known == null) {
      synchronized (this) {
        known = seen == null ? new Seen() : seen;
        seen = known;
      }
    }
    if (known.positions.asMap().putIfAbsent(position, true) == null) {
      count.incrementAndGet();
      LOG.warn(
          "{}: the record at position {} of session {} is damaged and was skipped; see 'clew doctor'",
          where,
          position,
          sessionId);
    }
  }

  long count() {
    return count.get();
  }
}
