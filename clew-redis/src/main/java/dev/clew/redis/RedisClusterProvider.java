package dev.clew.redis;

/** Opens {@code redis-cluster://…}; see {@link RedisProvider}. Stateless. */
public final class RedisClusterProvider extends RedisProvider {
  /** For the service loader. */
  public RedisClusterProvider() {}

  @Override
  public String scheme() {
    return "redis-cluster";
  }
}
