package dev.clew.redis;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.function.Consumer;

/** The contract on one server. */
class RedisContractTest extends RedisContract {
  @Override
  String url(String prefix) {
    return TestRedis.shared().url(prefix);
  }

  @Override
  void ask(Consumer<RedisClusterCommands<String, String>> question) {
    TestRedis.shared()
        .ask(
            redis -> {
              question.accept(redis);
              return true;
            });
  }
}
