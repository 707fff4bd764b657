package dev.clew.kit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests. Stateless. */
public final class Sha256 {
  private Sha256() {}

  /** The digest of a text in UTF-8, as 64 hexadecimal digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The beginning of a text's digest: enough to tell names apart. */
  public static String brief(String text) {
    return hex(text).substring(0, 16);
  }

  /** The digest of some bytes. */
  public static byte[] of(byte[] bytes) {
    return begin().digest(bytes);
  }

  /** A digest to be fed piece by piece. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A copy of a digest; both can be continued. */
  public static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("every Java platform can copy a SHA-256", e);
    }
  }
}
