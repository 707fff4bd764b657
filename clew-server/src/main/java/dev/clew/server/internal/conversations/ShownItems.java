package dev.clew.server.internal.conversations;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.clew.Item;
import dev.clew.server.internal.wire.WireItems;

/**
 * Items in the form in which they are returned, kept for as long as the store keeps the items at
 * hand: the newest ones of a session are asked for again and again. Thread-safe and bounded.
 */
final class ShownItems {
  private static final long MOST_BYTES = 8 << 20;

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Shown(long position, byte[] json) {}

  private final Cache<Item, Shown> known =
      Caffeine.newBuilder()
          .weakKeys()
          .maximumWeight(MOST_BYTES)
          .weigher((Item item, Shown shown) -> shown.json().length)
          .executor(Runnable::run)
          .build();

  /** As {@link WireItems#json(Item, long)}. */
  byte[] json(Item item, long position) {
    Shown shown = known.getIfPresent(item);
    if (shown == null || shown.position() != position) { // a fork has the same item elsewhere
      shown = new Shown(position, WireItems.json(item, position).getBytes(UTF_8));
      known.put(item, shown);
    }
    return shown.json();
  }
}
