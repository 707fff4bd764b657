package dev.clew.redis;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a cluster of three masters. */
class ClusterContractTest extends RedisContract {
  private static final String SEEDS = "clew.tck.seeds";
  private static boolean fewer;

  /** One server runs all random sequences with the same scripts; here some of them will do. */
  @BeforeAll
  static void runFewerSequences() {
    fewer = System.getProperty(SEEDS) == null && !Boolean.getBoolean("clew.soak");
    if (fewer) {
      System.setProperty(SEEDS, "300");
    }
  }

  @AfterAll
  static void runAllAgain() {
    if (fewer) {
      System.clearProperty(SEEDS);
    }
  }

  @Override
  String url(String prefix) {
    return TestRedis.clusterUrl(prefix);
  }

  @Override
  void ask(Consumer<RedisClusterCommands<String, String>> question) {
    askCluster(question);
  }
}
