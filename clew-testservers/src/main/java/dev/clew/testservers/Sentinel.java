package dev.clew.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import redis.embedded.RedisSentinel;

/** A Redis Sentinel that looks after one primary, under the name mymaster. Thread-safe. */
public final class Sentinel implements AutoCloseable {
  private final int port = Ports.free();
  private final RedisSentinel sentinel;

  private Sentinel(RedisServer primary) throws IOException {
    sentinel =
        RedisSentinel.newRedisSentinel()
            .bind("127.0.0.1")
            .port(port)
            .masterName("mymaster")
            .masterPort(primary.port())
            .quorumSize(1)
            .downAfterMilliseconds(500L)
            .failOverTimeout(2000L)
            .build();
    sentinel.start();
  }

  /** Starts one, which holds a primary for dead after half a second. */
  public static Sentinel of(RedisServer primary) {
    try {
      return new Sentinel(primary);
    } catch (IOException e) {
      throw new UncheckedIOException("a Redis Sentinel cannot be started", e);
    }
  }

  /** The URL of a store on the primary it knows. */
  public String storeUrl() {
    return "redis-sentinel://127.0.0.1:" + port + "/mymaster";
  }

  /** The URL of the Sentinel itself. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    try {
      sentinel.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
