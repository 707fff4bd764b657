package dev.clew.postgres;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.StoreProvider;

/**
 * Opens {@code postgres://user:password@host:port/database?name=value&…} for {@link
 * dev.clew.Stores#open}. Stateless.
 *
 * <p>The settings are those of {@link PostgresStore.Builder}: {@code schema}, {@code pool_size},
 * {@code limit}, {@code ttl} and {@code deadline} (times such as 30d, 12h, 500ms), {@code migrate}
 * (apply or check); and the driver's {@code sslmode} and {@code sslrootcert}.
 */
public class PostgresProvider implements StoreProvider {
  /** For the service loader. */
  public PostgresProvider() {}

  @Override
  public String scheme() {
    return "postgres";
  }

  @Override
  public SessionStore open(String url, Opening opening) {
    return PostgresStore.builder(url).opening(opening).open();
  }

  /** Opens {@code postgresql://…}. */
  public static final class LongScheme extends PostgresProvider {
    /** For the service loader. */
    public LongScheme() {}

    @Override
    public String scheme() {
      return "postgresql";
    }
  }
}
