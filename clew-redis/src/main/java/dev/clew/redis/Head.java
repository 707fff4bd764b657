package dev.clew.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The existence and the version of a session. Immutable.
 *
 * <p>It is in the session's hash, and before its items as {@code head version updated ttl version
 * updated ttl}, so that one command reads both. The fields are repeated because no checksum covers
 * them.
 *
 * @param life the session's own time to live, null for that of the store
 */
record Head(boolean exists, long updated, @Nullable Long life, long version) {
  static final byte[][] FIELDS = {
    Wire.bytes("created"), Wire.bytes("updated"), Wire.bytes("ttl"), Wire.bytes("version")
  };

  private static final byte[] MARK = Wire.bytes("head ");

  /** The head before the items; null if it is damaged. */
  static @Nullable Head ofMember(byte[] member, int bytes) {
    int half = (bytes - MARK.length - 1) / 2;
    int again = MARK.length + half + 1;
    if (half < 1
        || !Arrays.equals(member, 0, MARK.length, MARK, 0, MARK.length)
        || !Arrays.equals(member, MARK.length, again - 1, member, again, bytes)) {
      return null;
    }
    String[] fields =
        new String(member, MARK.length, half, StandardCharsets.US_ASCII).split(" ", -1);
    try {
      return fields.length != 3
          ? null
          : new Head(
              true,
              Long.parseLong(fields[1]),
              fields[2].equals("-") ? null : Long.valueOf(fields[2]),
              Long.parseLong(fields[0]));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The head of the values of {@link #FIELDS}. */
  static Head of(List<?> values) {
    return new Head(
        has(values.get(0)),
        number(values.get(1)),
        has(values.get(2)) ? number(values.get(2)) : null,
        number(values.get(3)));
  }

  private static boolean has(@Nullable Object value) {
    return value instanceof byte[] bytes && bytes.length > 0;
  }

  private static long number(@Nullable Object value) {
    return value instanceof byte[] bytes && bytes.length > 0 ? Wire.number(bytes) : 0;
  }

  /** Whether the session exists and has not expired. */
  boolean isLive(@Nullable Long defaultLife, long now) {
    Long lives = life == null ? defaultLife : life;
    return exists && (lives == null || updated + lives > now);
  }
}
