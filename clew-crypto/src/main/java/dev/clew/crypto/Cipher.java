package dev.clew.crypto;

import com.google.crypto.tink.subtle.AesGcmJce;
import com.google.crypto.tink.subtle.Hkdf;
import com.google.crypto.tink.subtle.PrfHmacJce;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM and a keyed hash with two keys derived from one secret, and text for both. Immutable
 * and thread-safe.
 */
final class Cipher {
  static final int KEY_BYTES = 32;
  private static final String HMAC = "HMACSHA256";
  private static final int HASH_BYTES = 16;

  private final AesGcmJce aead;
  private final PrfHmacJce hash;

  /**
   * @param purpose what the keys are for; each purpose has its own
   */
  Cipher(byte[] secret, byte[] purpose) {
    try {
      byte[] keys = Hkdf.computeHkdf(HMAC, secret, new byte[0], purpose, 2 * KEY_BYTES);
      aead = new AesGcmJce(Arrays.copyOf(keys, KEY_BYTES));
      hash = new PrfHmacJce(HMAC, new SecretKeySpec(keys, KEY_BYTES, KEY_BYTES, "HMAC"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot do AES-256-GCM", e);
    }
  }

  byte[] encrypt(byte[] plain, byte[] place) {
    try {
      return aead.encrypt(plain, place);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encrypt", e);
    }
  }

  /** The plaintext, or null if it was not encrypted for this place. */
  byte @Nullable [] decrypt(byte[] sealed, byte[] place) {
    try {
      return aead.decrypt(sealed, place);
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  /** A hash that cannot be computed without the key. */
  String hash(String text) {
    try {
      byte[] all = hash.compute(text.getBytes(StandardCharsets.UTF_8), HASH_BYTES);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot hash", e);
    }
  }

  /** A unique encoding of texts and a number. */
  static byte[] place(String kind, String first, String second, long number) {
    byte[] a = kind.getBytes(StandardCharsets.UTF_8);
    byte[] b = first.getBytes(StandardCharsets.UTF_8);
    byte[] c = second.getBytes(StandardCharsets.UTF_8);
    ByteBuffer place =
        ByteBuffer.allocate(a.length + b.length + c.length + 3 * Integer.BYTES + Long.BYTES);
    place.putInt(a.length).put(a).putInt(b.length).put(b).putInt(c.length).put(c);
    return place.putLong(number).array();
  }
}
