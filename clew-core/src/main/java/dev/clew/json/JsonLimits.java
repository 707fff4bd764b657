package dev.clew.json;

/**
 * How large a JSON text may be. Immutable.
 *
 * @param maxBytes size of the text in UTF-8
 * @param maxDepth how deep arrays and objects may be nested
 */
public record JsonLimits(int maxBytes, int maxDepth) {
  /** Longest number, in characters: longer ones cannot be read back by Python programs. */
  public static final int MAX_NUMBER_LENGTH = 1000;

  /** 1 MiB, 200 levels. */
  static final JsonLimits DEFAULT = new JsonLimits(1 << 20, 200);
}
