package dev.clew.springboot;

/** The store of {@code clew.url} cannot be opened; the cause says why. */
public final class StoreOpeningException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the reason of the cause. */
  public StoreOpeningException(RuntimeException cause) {
    super("The store of the property 'clew.url' cannot be opened: " + cause.getMessage(), cause);
  }
}
