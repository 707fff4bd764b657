package dev.clew.json;

/** Operations on JSON as text, without parsing it into values. Stateless and thread-safe. */
public final class JsonText {
  private JsonText() {}

  /**
   * The same document without white space between tokens and with unpaired surrogates, which no
   * UTF-8 file can hold, as escapes. Everything else stays as it was written. The text must be
   * valid JSON.
   */
  public static String compact(String json) {
    StringBuilder out = null;
    boolean inString = false;
    int done = 0;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean lone = inString && isUnpairedSurrogate(json, i);
      if (inString && c == '\\') {
        i++;
      } else if (lone || (!inString && isSpace(c))) {
        out = out == null ? new StringBuilder(json.length()) : out;
        out.append(json, done, i);
        done = i + 1;
        if (lone) {
          appendEscape(out, c);
        }
      } else if (c == '"') {
        inString = !inString;
      }
    }
    return out == null ? json : out.append(json, done, json.length()).toString();
  }

  /** How deep arrays and objects are nested. The text must be valid JSON. */
  public static int depth(String json) {
    int depth = 0;
    int deepest = 0;
    boolean inString = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (inString) {
        i += c == '\\' ? 1 : 0;
        inString = c != '"';
      } else if (c == '"') {
        inString = true;
      } else if (c == '{' || c == '[') {
        deepest = Math.max(deepest, ++depth);
      } else if (c == '}' || c == ']') {
        depth--;
      }
    }
    return deepest;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  /** Whether the text has a surrogate without its partner, so that it is not valid Unicode. */
  public static boolean hasUnpairedSurrogate(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUnpairedSurrogate(text, i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the char at {@code i} is a surrogate without its partner. */
  public static boolean isUnpairedSurrogate(CharSequence text, int i) {
    char c = text.charAt(i);
    if (!Character.isSurrogate(c)) {
      return false;
    }
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
  }

  static void appendEscape(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(Character.forDigit((c >> shift) & 0xf, 16));
    }
  }

  /** The number of bytes of the text in UTF-8. */
  public static long utf8Length(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // A surrogate pair is four bytes for two chars: one more for each.
        bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return bytes;
  }
}
