package dev.clew.crypto;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A ciphertext with the id of the owner's key, as text. Immutable.
 *
 * <pre>
 * base64url( format (1 byte, 1) | owner's key (4 bytes) | nonce (12) | text | tag (16) )
 * </pre>
 *
 * <p>Each has exactly one text, so that a change of any bit is detected.
 */
final class Sealed {
  private static final byte FORMAT = 1;
  private static final int HEADER = 1 + Integer.BYTES;
  private static final int OVERHEAD = HEADER + 12 + 16;

  private final int ownerKey;
  private final byte[] bytes;

  Sealed(int ownerKey, byte[] bytes) {
    this.ownerKey = ownerKey;
    this.bytes = bytes;
  }

  int ownerKey() {
    return ownerKey;
  }

  /** The ciphertext; not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  String text() {
    byte[] all = new byte[HEADER + bytes.length];
    ByteBuffer.wrap(all).put(FORMAT).putInt(ownerKey).put(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /** The ciphertext in a text, or null if it has another form. */
  static @Nullable Sealed parse(String text) {
    byte[] all;
    try {
      all = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (all.length < OVERHEAD || all[0] != FORMAT || !isCanonical(text, all)) {
      return null;
    }
    return new Sealed(ByteBuffer.wrap(all).getInt(1), Arrays.copyOfRange(all, HEADER, all.length));
  }

  /** The decoder ignores the last bits of a text beyond its bytes. */
  private static boolean isCanonical(String text, byte[] all) {
    int rest = all.length % 3;
    byte[] last = Arrays.copyOfRange(all, all.length - rest, all.length);
    String end = Base64.getUrlEncoder().withoutPadding().encodeToString(last);
    return text.length() == (all.length * 8 + 5) / 6 && text.endsWith(end);
  }
}
