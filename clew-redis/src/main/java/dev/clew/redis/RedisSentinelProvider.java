package dev.clew.redis;

/** Opens {@code redis-sentinel://…}; see {@link RedisProvider}. Stateless. */
public final class RedisSentinelProvider extends RedisProvider {
  /** For the service loader. */
  public RedisSentinelProvider() {}

  @Override
  public String scheme() {
    return "redis-sentinel";
  }
}
