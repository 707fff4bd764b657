package dev.clew;

import dev.clew.json.Json;
import dev.clew.json.JsonText;
import java.util.List;

/**
 * How large an item may be. Immutable. Limits apply when an item is created or written, never when
 * it is read.
 *
 * @param maxBytes size of the JSON text in UTF-8
 * @param maxDepth how deep arrays and objects may be nested
 */
public record ItemLimits(int maxBytes, int maxDepth) {
  /** Longest number, in characters: longer ones cannot be read back by Python programs. */
  public static final int MAX_NUMBER_LENGTH = Json.Limits.MAX_NUMBER_LENGTH;

  /** What {@link Item#parse(String)} applies: 1 MiB, 200 levels. */
  public static final ItemLimits DEFAULT = new ItemLimits(1 << 20, 200);

  /** The default limits of a store: 16 MiB, 200 levels. */
  public static final ItemLimits STORE = new ItemLimits(16 << 20, 200);

  /** Checks that both limits are positive. */
  public ItemLimits {
    if (maxBytes < 2 || maxDepth < 1) {
      throw new IllegalArgumentException(
          "item limits must be positive: maxBytes=" + maxBytes + ", maxDepth=" + maxDepth);
    }
  }

  /** The same for a JSON text of any kind. */
  public Json.Limits json() {
    return new Json.Limits(maxBytes, maxDepth);
  }

  /**
   * Checks a batch before it is written.
   *
   * @throws ClewException.InvalidItem with the index of the first item that is null, too large or
   *     too deep
   */
  public void check(List<Item> items) {
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      if (item == null) {
        throw new ClewException.InvalidItem(i, "is null");
      }
      // Bytes are at most three times the chars, so most texts need no exact count.
      if (item.json().length() > maxBytes / 3) {
        long bytes = JsonText.utf8Length(item.json());
        if (bytes > maxBytes) {
          throw new ClewException.InvalidItem(
              i, "has " + bytes + " bytes, the limit is " + maxBytes + " (ItemLimits.maxBytes)");
        }
      }
      if (item.depth() > maxDepth) {
        throw new ClewException.InvalidItem(
            i, "is nested deeper than " + maxDepth + " levels (ItemLimits.maxDepth)");
      }
    }
  }

  /** The same limits with another size. */
  public ItemLimits maxBytes(int bytes) {
    return new ItemLimits(bytes, maxDepth);
  }

  /** The same limits with another depth. */
  public ItemLimits maxDepth(int depth) {
    return new ItemLimits(maxBytes, depth);
  }
}
