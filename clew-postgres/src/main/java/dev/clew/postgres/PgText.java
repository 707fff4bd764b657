package dev.clew.postgres;

/**
 * Encodes names with any character as text that PostgreSQL can hold. Stateless.
 *
 * <p>A {@code text} cannot hold U+0000 or unpaired surrogates. Both become a backslash and four
 * hexadecimal digits; a backslash is doubled.
 */
final class PgText {
  private PgText() {}

  static boolean canHold(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (mustEscape(text, i)) {
        return false;
      }
    }
    return true;
  }

  /** The text up to its first U+0000. Both sort alike among names without control characters. */
  static String upToNul(String text) {
    int nul = text.indexOf(0);
    return nul < 0 ? text : text.substring(0, nul);
  }

  static String write(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        out.append("\\\\");
      } else if (mustEscape(text, i)) {
        out.append(String.format("\\%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  static String read(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
      } else if (text.charAt(i + 1) == '\\') {
        out.append(c);
        i++;
      } else {
        out.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
        i += 4;
      }
    }
    return out.toString();
  }

  private static boolean mustEscape(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
    }
    return c == 0;
  }
}
