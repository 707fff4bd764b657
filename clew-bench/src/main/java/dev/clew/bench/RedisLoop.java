package dev.clew.bench;

import dev.clew.redis.RedisStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The script of the Redis store's append with its payload, sent by the bare client, and the range
 * of a list; beside it the least that could be sent, a script that only pushes. Not thread-safe.
 */
final class RedisLoop implements Appender {
  private static final String SESSION = "bare:{s}:";

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> redis;
  private final String script;
  private final String onlyPush;
  private long version;

  RedisLoop(int port) throws IOException {
    client = RedisClient.create("redis://127.0.0.1:" + port);
    connection = client.connect();
    redis = connection.sync();
    onlyPush = redis.scriptLoad("return redis.call('LPUSH', KEYS[1], unpack(ARGV))");
    try (InputStream lua = RedisStore.class.getResourceAsStream("quick.lua")) {
      if (lua == null) {
        throw new IllegalStateException("quick.lua is not among the resources of clew-redis");
      }
      script = redis.scriptLoad(new String(lua.readAllBytes(), StandardCharsets.UTF_8));
    }
    if (redis.exists(SESSION + "s") == 0) {
      redis.hset(SESSION + "s", Map.of("version", "0", "updated", "1", "items", "0", "bytes", "0"));
      redis.lpush(SESSION + "i", "head");
    }
  }

  @Override
  public void append(String session, Turn turn) {
    String now = Long.toString(System.currentTimeMillis());
    String[] arguments = new String[6 + Turn.ITEMS];
    arguments[0] = now;
    arguments[1] = "";
    arguments[2] = Long.toString(version);
    arguments[3] = session;
    arguments[4] = Integer.toString(turn.lines().limit() - Turn.ITEMS);
    arguments[5] = "0";
    for (int i = 0; i < Turn.ITEMS; i++) {
      long position = ++version;
      String text = turn.texts().get(i);
      arguments[6 + i] =
          position
              + " "
              + position
              + " "
              + now
              + " "
              + turn.crcs().get(i)
              + " - "
              + text.length()
              + " "
              + text;
    }
    List<Object> done =
        redis.evalsha(
            script,
            ScriptOutputType.MULTI,
            new String[] {
              SESSION + "s", SESSION + "i", SESSION + "k", SESSION + "u", SESSION + "w"
            },
            arguments);
    if (done.isEmpty()) {
      throw new IllegalStateException("the script refused the append");
    }
  }

  /** A script that does nothing but push the items. */
  Appender onlyPush() {
    return new Appender() {
      @Override
      public void append(String session, Turn turn) {
        redis.<Long>evalsha(
            onlyPush,
            ScriptOutputType.INTEGER,
            new String[] {"push:" + session},
            turn.texts().toArray(String[]::new));
      }

      @Override
      public void close() {}
    };
  }

  /** How many of the last items there are. */
  int last() {
    return redis.lrange(SESSION + "i", 1, Jdbc.LIMIT).size();
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
