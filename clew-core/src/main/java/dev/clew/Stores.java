package dev.clew;

import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Opens stores by URL. Stateless and thread-safe. */
public final class Stores {
  /** Which module brings the stores of a scheme. */
  private static final Map<String, String> MODULES =
      Map.of(
          "memory", "clew-kit",
          "jsonl", "clew-jsonl",
          "sqlite", "clew-sqlite",
          "postgres", "clew-postgres",
          "postgresql", "clew-postgres",
          "redis", "clew-redis",
          "rediss", "clew-redis",
          "redis-cluster", "clew-redis",
          "redis-sentinel", "clew-redis");

  private Stores() {}

  /**
   * Opens the store a URL names: {@code sqlite:conversations.db}, {@code memory:}, and others that
   * are on the class path. A store that does not exist is created.
   *
   * @throws IllegalArgumentException if no module on the class path knows the scheme
   * @throws ClewException.StoreUnavailable if the store cannot be opened
   */
  public static SessionStore open(String url) {
    return open(url, Opening.CREATE);
  }

  /**
   * Opens the store a URL names, as far as {@code opening} allows.
   *
   * @throws IllegalArgumentException if no module on the class path knows the scheme
   * @throws ClewException.NoSuchStore if it does not exist and must not be created
   * @throws ClewException.StoreUnavailable if the store cannot be opened
   */
  public static SessionStore open(String url, Opening opening) {
    int colon = url.indexOf(':');
    String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
    TreeSet<String> known = new TreeSet<>();
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      if (provider.scheme().equals(scheme)) {
        return provider.open(scheme + url.substring(colon), opening);
      }
      known.add(provider.scheme() + ":");
    }
    String module = MODULES.get(scheme);
    throw new IllegalArgumentException(
        "no store for '"
            + withoutSecrets(url)
            + "'; "
            + (known.isEmpty()
                ? "no store is on the class path"
                : "there are stores for " + String.join(", ", known))
            + (module == null
                ? ", write for example sqlite:conversations.db"
                : "; add the module dev.clew:" + module + " for " + scheme + ":"));
  }

  /** The URL without the user's name, the password and the settings. */
  private static String withoutSecrets(String url) {
    return url.replaceFirst("\\?.*", "").replaceFirst("//.*@", "//");
  }
}
