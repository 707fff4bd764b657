package dev.clew;

/**
 * Opens stores of one kind for {@link Stores#open}; found through {@link java.util.ServiceLoader}.
 * Thread-safe.
 */
public interface StoreProvider {
  /** The part of the URL before the first colon, such as {@code sqlite}, in small letters. */
  String scheme();

  /**
   * Opens the store of a URL that starts with the scheme. If it is opened to read, it changes
   * nothing and refuses writes.
   *
   * @throws ClewException.NoSuchStore if it does not exist and must not be created
   */
  SessionStore open(String url, Opening opening);
}
