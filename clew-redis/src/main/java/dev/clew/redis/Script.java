package dev.clew.redis;

import dev.clew.kit.Resources;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The scripts that run in the server, by the names of their files. Immutable. */
enum Script {
  QUICK,
  APPEND("session"),
  TAIL("session", "seek", "edits"),
  PREFIX("session", "seek", "edits"),
  EDIT("session", "seek", "edits"),
  DESCRIBE("session", "edits"),
  FORK("session"),
  MARK("session"),
  DELETE("session"),
  NEWS("seek"),
  READ("seek"),
  LEASE,
  RECORD,
  DUE;

  private final String text;
  private final String digest;

  /** Starts with the common parts in other files. */
  Script(String... common) {
    StringBuilder lua = new StringBuilder();
    for (String file : common) {
      lua.append(Resources.text(Script.class, file + ".lua")).append('\n');
    }
    lua.append(Resources.text(Script.class, name().toLowerCase(Locale.ROOT) + ".lua"));
    text = lua.toString();
    try {
      digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-1", e);
    }
  }

  byte[] text() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The name by which the server knows it. */
  String digest() {
    return digest;
  }
}
