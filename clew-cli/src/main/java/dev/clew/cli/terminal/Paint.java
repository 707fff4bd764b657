package dev.clew.cli.terminal;

/** Colours, or none: every method returns its text as it is when there are none. Immutable. */
public record Paint(boolean colours) {
  public String bold(String text) {
    return in("1", text);
  }

  public String dim(String text) {
    return in("2", text);
  }

  public String red(String text) {
    return in("31", text);
  }

  public String green(String text) {
    return in("32", text);
  }

  public String cyan(String text) {
    return in("36", text);
  }

  public String yellow(String text) {
    return in("33", text);
  }

  /** For the words a search found. */
  String highlight(String text) {
    return in("1;33", text);
  }

  private String in(String code, String text) {
    return colours && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
