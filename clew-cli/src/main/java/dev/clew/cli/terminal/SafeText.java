package dev.clew.cli.terminal;

/**
 * Stored text made safe to show: it comes from models and strangers, and a terminal obeys control
 * characters. Stateless.
 */
public final class SafeText {
  private SafeText() {}

  /** The text with control characters, other than line ends and tabs, shown as pictures. */
  public static String text(String text) {
    String unified = text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n");
    return clean(unified, false);
  }

  /** The same on one line, each char still in its place. */
  public static String line(String text) {
    return clean(text, true);
  }

  private static String clean(String text, boolean oneLine) {
    StringBuilder out = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      char shown = shown(c, oneLine);
      if (shown != c) {
        if (out == null) {
          out = new StringBuilder(text);
        }
        out.setCharAt(i, shown);
      }
    }
    return out == null ? text : out.toString();
  }

  private static char shown(char c, boolean oneLine) {
    if (c == '\n' || c == '\t') {
      return oneLine ? ' ' : c;
    }
    if (c < ' ') {
      return (char) (0x2400 + c); // ␀ to ␟
    }
    return c >= 0x7F && c < 0xA0 ? '\uFFFD' : c;
  }
}
