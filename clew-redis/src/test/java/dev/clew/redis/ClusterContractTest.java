package dev.clew.redis;

import dev.clew.testservers.RedisCluster;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.function.Consumer;

/** The contract on a cluster of three masters. */
class ClusterContractTest extends RedisContract {
  /** One server runs all random sequences with the same scripts; here some of them will do. */
  @Override
  public int sequences() {
    return super.sequences() / 10;
  }

  @Override
  String url(String prefix) {
    return RedisCluster.url(prefix);
  }

  @Override
  void ask(Consumer<RedisClusterCommands<String, String>> question) {
    askCluster(question);
  }
}
