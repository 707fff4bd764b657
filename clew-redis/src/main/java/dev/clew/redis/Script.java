package dev.clew.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The scripts that run in the server, by the names of their files. Immutable. */
enum Script {
  APPEND(true),
  TAIL(true),
  PREFIX(true),
  EDIT(true),
  DESCRIBE(true),
  FORK(true),
  DELETE(true),
  NEWS(false),
  COMPACTED(false),
  LEASE(false),
  RECORD(false),
  DUE(false);

  private final byte[] text;
  private final String digest;

  Script(boolean ofSession) {
    String own = read(name().toLowerCase(java.util.Locale.ROOT) + ".lua");
    text =
        (ofSession ? read("session.lua") + "\n" + own : own).getBytes(StandardCharsets.UTF_8);
    try {
      digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-1", e);
    }
  }

  private static String read(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the script " + file + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] text() {
    return text;
  }

  /** What the server knows it by. */
  String digest() {
    return digest;
  }
}
