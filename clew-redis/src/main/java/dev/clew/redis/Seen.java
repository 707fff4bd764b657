package dev.clew.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest versions this process was told of, to notice a server that has forgotten them.
 * Thread-safe.
 *
 * <p>A failover to a replica that was behind, or a restart without its log, takes a session back to
 * an older version. Of many sessions only some are remembered, and none for longer than the server
 * keeps the numbers of a session that was removed.
 */
final class Seen {
  private static final int REMEMBERED = 8192;
  private static final long LIFE_NANOS = Duration.ofHours(12).toNanos();

  private record Version(String place, long version, boolean given, long at) {}

  private final AtomicReferenceArray<@Nullable Version> versions =
      new AtomicReferenceArray<>(REMEMBERED);

  /**
   * What a script takes: the newest version seen, 0 for none, negative if it is known to be lost
   * and numbers shall go on after it.
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

  /** The server has told of this version. */
  void note(Keys.OfSession keys, long version) {
    Version known = versions.get(slot(keys));
    if (known == null || !known.place().equals(keys.place) || known.version() < version) {
      versions.set(slot(keys), new Version(keys.place, version, false, System.nanoTime()));
    }
  }

  /** The caller has been told that versions up to this one are lost. */
  void giveUp(Keys.OfSession keys, long version) {
    versions.set(slot(keys), new Version(keys.place, version, true, System.nanoTime()));
  }

  private static int slot(Keys.OfSession keys) {
    return keys.place.hashCode() & (REMEMBERED - 1);
  }
}
