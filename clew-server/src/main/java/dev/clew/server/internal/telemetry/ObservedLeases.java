package dev.clew.server.internal.telemetry;

import dev.clew.Leases;
import dev.clew.SessionKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Leases that know how long turns wait for theirs. Thread-safe. Who gives up is never heard of
 * again, so only so many of those who wait are remembered.
 */
final class ObservedLeases implements Leases {
  private static final String TURN = "turn";
  private static final int MOST_WAITING = 1_000;

  private final Leases leases;
  private final Meters meters;
  private final Map<String, Long> waitingSince =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_WAITING;
        }
      };

  ObservedLeases(Leases leases, Meters meters) {
    this.leases = leases;
    this.meters = meters;
  }

  @Override
  public Optional<Grant> tryAcquire(
      SessionKey key, String name, String holder, Duration timeToLive) {
    long now = System.nanoTime();
    Optional<Grant> grant = leases.tryAcquire(key, name, holder, timeToLive);
    if (name.equals(TURN)) {
      waited(holder, grant.isPresent(), now);
    }
    return grant;
  }

  private void waited(String holder, boolean over, long now) {
    Long since;
    synchronized (waitingSince) {
      since = over ? waitingSince.remove(holder) : waitingSince.putIfAbsent(holder, now);
    }
    if (over) {
      meters.lockWait(since == null ? 0 : System.nanoTime() - since);
    }
  }

  @Override
  public Optional<Grant> renew(Grant grant, Duration timeToLive) {
    return leases.renew(grant, timeToLive);
  }

  @Override
  public void release(Grant grant) {
    leases.release(grant);
  }

  @Override
  public Optional<Grant> holder(SessionKey key, String name) {
    return leases.holder(key, name);
  }
}
