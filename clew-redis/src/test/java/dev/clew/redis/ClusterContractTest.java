package dev.clew.redis;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.function.Consumer;

/** The contract on a cluster of three masters. */
class ClusterContractTest extends RedisContract {
  @Override
  String url(String prefix) {
    return TestRedis.clusterUrl(prefix);
  }

  @Override
  void ask(Consumer<RedisClusterCommands<String, String>> question) {
    askCluster(question);
  }
}
