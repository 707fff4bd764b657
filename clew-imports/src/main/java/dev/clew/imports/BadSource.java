package dev.clew.imports;

/** A source that is not what its format says. Nothing was written. */
public final class BadSource extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Says which source, where in it, what is wrong and what to do. */
  public BadSource(String message) {
    super(message);
  }
}
