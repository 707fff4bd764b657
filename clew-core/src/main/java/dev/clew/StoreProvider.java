package dev.clew;

/**
 * Opens stores of one kind for {@link Stores#open}; found through {@link java.util.ServiceLoader}.
 * Thread-safe.
 */
public interface StoreProvider {
  /** The part of the URL before the first colon, such as {@code sqlite}. */
  String scheme();

  /** Opens the store of a URL that starts with the scheme. */
  SessionStore open(String url);
}
