package dev.clew.redis;

import dev.clew.testservers.RedisServer;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.function.Consumer;

/** The contract on one server. */
class RedisContractTest extends RedisContract {
  @Override
  String url(String prefix) {
    return RedisServer.shared().url(prefix);
  }

  @Override
  void ask(Consumer<RedisClusterCommands<String, String>> question) {
    RedisServer.shared()
        .ask(
            redis -> {
              question.accept(redis);
              return true;
            });
  }
}
