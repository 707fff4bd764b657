package dev.clew.redis;

import java.nio.charset.StandardCharsets;

/** Values as the server takes and returns them: UTF-8 text. Stateless. */
final class Wire {
  private static final byte[] NO = {'0'};
  private static final byte[] YES = {'1'};

  private Wire() {}

  static byte[] bytes(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    if (value instanceof Boolean flag) {
      return flag ? YES : NO;
    }
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }

  static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  static long number(Object bytes) {
    return Long.parseLong(text(bytes));
  }
}
