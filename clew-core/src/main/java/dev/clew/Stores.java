package dev.clew;

import java.util.ServiceLoader;
import java.util.TreeSet;

/** Opens stores by URL. Stateless and thread-safe. */
public final class Stores {
  private Stores() {}

  /**
   * Opens the store a URL names: {@code sqlite:conversations.db}, {@code memory:}, and what else is
   * on the class path.
   *
   * @throws IllegalArgumentException if no module on the class path knows the scheme
   * @throws ClewException.StoreUnavailable if the store cannot be opened
   */
  public static SessionStore open(String url) {
    int colon = url.indexOf(':');
    String scheme = colon < 0 ? "" : url.substring(0, colon);
    TreeSet<String> known = new TreeSet<>();
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      if (provider.scheme().equals(scheme)) {
        return provider.open(url);
      }
      known.add(provider.scheme() + ":");
    }
    throw new IllegalArgumentException(
        "no store for '"
            + url
            + "': the class path has stores for "
            + String.join(", ", known)
            + "; write for example sqlite:conversations.db, or add the module of that store");
  }
}
