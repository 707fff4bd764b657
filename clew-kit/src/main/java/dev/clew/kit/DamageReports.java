package dev.clew.kit;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each damaged item once, by session and position, never its content. Thread-safe. */
public final class DamageReports {
  private static final Logger LOG = LoggerFactory.getLogger(DamageReports.class);
  private static final int REMEMBERED = 10_000;

  private record Place(String sessionId, long position) {}

  private final AtomicLong count = new AtomicLong();
  private final Set<Place> seen = new LinkedHashSet<>();
  private final String where;

  /** Reports of a store of this name. */
  public DamageReports(String where) {
    this.where = where;
  }

  /** A damaged item is about to be skipped. */
  public void found(String sessionId, long position) {
    if (isNew(new Place(sessionId, position))) {
      count.incrementAndGet();
      LOG.warn(
          "{}: the item at position {} of session {} is damaged and was skipped; see 'clew doctor'",
          where,
          position,
          sessionId);
    }
  }

  /** Beyond the limit the oldest is forgotten, and logged again when it is found again. */
  private boolean isNew(Place place) {
    synchronized (seen) {
      if (!seen.add(place)) {
        return false;
      }
      if (seen.size() > REMEMBERED) {
        seen.remove(seen.iterator().next());
      }
      return true;
    }
  }

  /** How many damaged items were found. */
  public long count() {
    return count.get();
  }
}
