package dev.clew.kit;

import java.util.Comparator;

/**
 * The one order of names on every store: by Unicode code point. Stateless and thread-safe.
 *
 * <p>This is the order of the UTF-8 bytes, which SQLite, PostgreSQL with {@code COLLATE "C"} and
 * Redis sort by. {@link String#compareTo} differs from it for characters beyond U+FFFF.
 */
public final class TextOrder {
  /** Compares by code point. */
  public static final Comparator<String> BY_CODE_POINT = TextOrder::compare;

  private TextOrder() {}

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above all other chars.
        return Character.isSurrogate(x) == Character.isSurrogate(y)
            ? Character.compare(x, y)
            : Character.isSurrogate(x) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
