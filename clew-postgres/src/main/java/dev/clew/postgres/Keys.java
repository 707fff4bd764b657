package dev.clew.postgres;

import dev.clew.SessionKey;
import dev.clew.kit.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Short keys of a fixed length for names of any length. Stateless.
 *
 * <p>An entry of a PostgreSQL B-tree has at most 2,704 bytes, less than an owner and an id of 512
 * characters may take, and distributed databases shard by one short column. A key is the first 128
 * bits of a SHA-256.
 */
final class Keys {
  private Keys() {}

  static UUID of(SessionKey key) {
    return hash(key.owner() + "\n" + key.id()); // neither has a line end
  }

  static UUID of(String name) {
    return hash(name);
  }

  /** A number to find an item's id by; it need not be unique. */
  static long number(String itemId) {
    return hash(itemId).getMostSignificantBits();
  }

  private static UUID hash(String text) {
    ByteBuffer digest = ByteBuffer.wrap(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    return new UUID(digest.getLong(), digest.getLong());
  }
}
