package dev.clew.redis;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.StoreProvider;

/**
 * Opens {@code redis://user:password@host:port/database?name=value&…} for {@link
 * dev.clew.Stores#open}. Stateless.
 *
 * <p>The settings are those of {@link RedisStore.Builder}: {@code prefix}, {@code limit}, {@code
 * ttl} and {@code deadline} (times such as 30d, 12h, 500ms), {@code durability} (process_crash or
 * power_loss). Several hosts, or one host of a cluster, make a cluster.
 */
public class RedisProvider implements StoreProvider {
  /** For the service loader. */
  public RedisProvider() {}

  @Override
  public String scheme() {
    return "redis";
  }

  @Override
  public SessionStore open(String url, Opening opening) {
    return RedisStore.builder(url).opening(opening).open();
  }

  /** Opens {@code rediss://…}. */
  public static final class Tls extends RedisProvider {
    /** For the service loader. */
    public Tls() {}

    @Override
    public String scheme() {
      return "rediss";
    }
  }

  /** Opens {@code redis-cluster://…}. */
  public static final class Cluster extends RedisProvider {
    /** For the service loader. */
    public Cluster() {}

    @Override
    public String scheme() {
      return "redis-cluster";
    }
  }

  /** Opens {@code redis-sentinel://…}. */
  public static final class Sentinel extends RedisProvider {
    /** For the service loader. */
    public Sentinel() {}

    @Override
    public String scheme() {
      return "redis-sentinel";
    }
  }
}
