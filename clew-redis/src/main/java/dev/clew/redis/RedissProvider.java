package dev.clew.redis;

/** Opens {@code rediss://…}; see {@link RedisProvider}. Stateless. */
public final class RedissProvider extends RedisProvider {
  /** For the service loader. */
  public RedissProvider() {}

  @Override
  public String scheme() {
    return "rediss";
  }
}
