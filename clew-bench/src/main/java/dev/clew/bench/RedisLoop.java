package dev.clew.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.concurrent.TimeUnit;

/**
 * The least a Redis client can do: a script that pushes the items of a turn onto a list, and a
 * range of that list. Not thread-safe.
 */
final class RedisLoop implements Appender {
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> redis;
  private final String script;

  RedisLoop(int port) {
    client = RedisClient.create("redis://127.0.0.1:" + port);
    connection = client.connect();
    redis = connection.sync();
    script = redis.scriptLoad("return redis.call('RPUSH', KEYS[1], unpack(ARGV))");
  }

  @Override
  public void append(String session, Turn turn) {
    redis.<Long>evalsha(
        script,
        ScriptOutputType.INTEGER,
        new String[] {"bare:" + session},
        turn.texts().toArray(String[]::new));
  }

  /** How many of the last items there are. */
  int last(String session) {
    return redis.lrange("bare:" + session, -Jdbc.LIMIT, -1).size();
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
