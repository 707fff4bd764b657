package dev.clew.kit.state;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Keys by the time at which they end, soonest first. Not thread-safe: used under a lock. */
public final class Expiries<K> {
  private final TreeMap<Instant, Set<K>> keys = new TreeMap<>();

  /** Without any key. */
  public Expiries() {}

  /** Moves a key from one end to another; either may be absent. */
  public void move(K key, Optional<Instant> before, Optional<Instant> after) {
    if (before.equals(after)) {
      return;
    }
    before.ifPresent(
        end ->
            keys.computeIfPresent(
                end,
                (at, same) -> {
                  same.remove(key);
                  return same.isEmpty() ? null : same;
                }));
    after.ifPresent(end -> keys.computeIfAbsent(end, at -> new LinkedHashSet<>()).add(key));
  }

  /** Keys that have ended, soonest first, at most {@code limit}; they stay until they are moved. */
  public List<K> due(Instant now, int limit) {
    return keys.headMap(now, true).values().stream().flatMap(Set::stream).limit(limit).toList();
  }
}
