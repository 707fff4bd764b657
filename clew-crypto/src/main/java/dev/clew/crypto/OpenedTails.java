package dev.clew.crypto;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.spi.PositionedItems;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The newest items of sessions in use, decrypted once instead of with each read. Thread-safe. An
 * item is used again only for the same text at the same position.
 */
final class OpenedTails {
  /** Longer tails are not kept. */
  private static final int MAX_ITEMS = 128;

  private static final int ITEM_OVERHEAD = 64;

  private final Recent<SessionKey, Opened> tails;

  /** The decrypted end of {@code sealed}. */
  private record Opened(PositionedItems sealed, List<Item> plain) {
    int from() {
      return sealed.size() - plain.size();
    }

    long bytes() {
      long bytes = ITEM_OVERHEAD;
      for (Item item : plain) {
        bytes += item.json().length() + ITEM_OVERHEAD;
      }
      return bytes;
    }
  }

  OpenedTails(long mostBytes) {
    tails = new Recent<>(mostBytes, Opened::bytes);
  }

  /** The newest items, oldest first; {@code seals} gives the seal that opens an item. */
  List<Item> items(
      SessionKey key, PositionedItems sealed, int limit, Function<Item, SessionSeal> seals) {
    int wanted = Math.min(limit, sealed.size());
    Opened before = tails.get(key);
    if (before != null && before.sealed.items() == sealed.items()) {
      int have = before.plain.size();
      if (have >= wanted) {
        return before.plain.subList(have - wanted, have);
      }
    }
    Opened now = open(sealed, wanted, before, seals);
    if (wanted <= MAX_ITEMS) {
      tails.put(key, now);
    }
    int have = now.plain.size();
    return now.plain.subList(have - wanted, have);
  }

  /** Opens the wanted items, and older ones that are known already. */
  private static Opened open(
      PositionedItems sealed,
      int wanted,
      @Nullable Opened before,
      Function<Item, SessionSeal> seals) {
    Item[] plain = new Item[sealed.size()];
    int known = before == null ? -1 : before.sealed.size() - 1;
    int at = sealed.size() - 1;
    for (; at >= 0; at--) {
      Item item = sealed.items().get(at);
      long position = sealed.position(at);
      while (before != null && known >= before.from() && before.sealed.position(known) > position) {
        known--;
      }
      if (before != null
          && known >= before.from()
          && before.sealed.position(known) == position
          && before.sealed.items().get(known).equals(item)) {
        plain[at] = before.plain.get(known - before.from());
      } else if (sealed.size() - at <= wanted) {
        plain[at] = seals.apply(item).open(item, position).item();
      } else {
        break;
      }
    }
    List<Item> opened = Arrays.asList(plain).subList(at + 1, plain.length);
    return new Opened(sealed, Collections.unmodifiableList(opened));
  }

  void forget(String owner) {
    tails.removeIf(key -> key.owner().equals(owner));
  }
}
