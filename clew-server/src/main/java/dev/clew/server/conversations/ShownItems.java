package dev.clew.server.conversations;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.clew.Item;

/**
 * Items in the form in which they are returned, kept for as long as the store keeps the items at
 * hand: the newest ones of a session are asked for again and again. Thread-safe and bounded.
 */
final class ShownItems {
  private static final long MOST_CHARS = 8 << 20;

  private record Shown(long position, String json) {}

  private final Cache<Item, Shown> known =
      Caffeine.newBuilder()
          .weakKeys()
          .maximumWeight(MOST_CHARS)
          .weigher((Item item, Shown shown) -> shown.json().length())
          .executor(Runnable::run)
          .build();

  /** As {@link WireItems#json(Item, long)}. */
  String json(Item item, long position) {
    Shown shown = known.getIfPresent(item);
    if (shown == null || shown.position() != position) { // a fork has the same item elsewhere
      shown = new Shown(position, WireItems.json(item, position));
      known.put(item, shown);
    }
    return shown.json();
  }
}
