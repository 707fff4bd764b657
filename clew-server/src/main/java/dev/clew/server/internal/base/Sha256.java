package dev.clew.server.internal.base;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest under which secrets and long names are kept. Stateless. */
public final class Sha256 {
  private Sha256() {}

  /** The beginning of a digest: enough to tell names apart in a log. */
  public static String brief(String text) {
    return hex(text).substring(0, 16);
  }

  /** The digest of a text in hexadecimal digits. */
  public static String hex(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
