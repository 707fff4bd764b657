package dev.clew.kit;

import dev.clew.ClewException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each damaged row once, by key and position, never its content. Thread-safe. */
public final class DamageReports {
  private static final Logger LOG = LoggerFactory.getLogger(DamageReports.class);
  private static final int REMEMBERED = 10_000;

  private record Place(String sessionId, long position) {}

  private final AtomicLong count = new AtomicLong();
  private final Set<Place> seen = new LinkedHashSet<>();
  private final String where;
  private volatile boolean refused;

  /** Reports of a store of this name. */
  public DamageReports(String where) {
    this.where = where;
  }

  /** From now on damage is an error. */
  public void refuse() {
    refused = true;
  }

  /**
   * A damaged item is about to be skipped.
   *
   * @throws ClewException.CorruptRecord if that is refused
   */
  public void found(String sessionId, long position) {
    if (refused) {
      throw new ClewException.CorruptRecord(
          where
              + ": the item at position "
              + position
              + " of session "
              + sessionId
              + " is damaged; nothing was removed, see 'clew doctor'");
    }
    if (isNew(new Place(sessionId, position))) {
      count.incrementAndGet();
      LOG.warn(
          "{}: the item at position {} of session {} is damaged and was skipped; see 'clew doctor'",
          where,
          position,
          sessionId);
    }
  }

  /**
   * Of more than can be remembered the oldest is forgotten, and logged again if it is met again.
   */
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
