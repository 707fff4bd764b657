package dev.clew.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest versions that this process knows, to notice a server that has forgotten them.
 * Thread-safe.
 *
 * <p>A failover to a lagging replica, or a restart without a log, sets a session back to an older
 * version. Only some sessions are remembered, and none longer than the server keeps the numbers of
 * a removed session.
 */
final class Seen {
  private static final int REMEMBERED = 8192;
  private static final long LIFE_NANOS = Duration.ofHours(12).toNanos();

  private record Version(String place, long version, boolean given, long at) {}

  private final AtomicReferenceArray<@Nullable Version> versions =
      new AtomicReferenceArray<>(REMEMBERED);

  /**
   * The version for a script: the newest one seen, 0 for none, negative if it is lost and numbers
   * continue after it.
   */
  long of(Keys.OfSession keys) {
    Version known = versions.get(slot(keys));
    if (known == null
        || !known.place().equals(keys.place)
        || System.nanoTime() - known.at() > LIFE_NANOS) {
      return 0;
    }
    return known.given() ? -known.version() : known.version();
  }

  /** Remembers a version that the server reported. */
  void note(Keys.OfSession keys, long version) {
    Version known = versions.get(slot(keys));
    if (known == null || !known.place().equals(keys.place) || known.version() < version) {
      versions.set(slot(keys), new Version(keys.place, version, false, System.nanoTime()));
    }
  }

  /** Remembers that versions up to this one are lost, as the caller was told. */
  void giveUp(Keys.OfSession keys, long version) {
    versions.set(slot(keys), new Version(keys.place, version, true, System.nanoTime()));
  }

  private static int slot(Keys.OfSession keys) {
    return keys.place.hashCode() & (REMEMBERED - 1);
  }
}
