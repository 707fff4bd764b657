package dev.clew.testservers;

import dev.clew.tck.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import redis.embedded.RedisShardedCluster;

/** The Redis Cluster of this JVM: three masters, which end with the JVM. Stateless. */
public final class RedisCluster {
  private static final class Shared {
    static final List<Integer> PORTS = start();
  }

  private RedisCluster() {}

  /** The ports of its masters. */
  public static List<Integer> ports() {
    return Shared.PORTS;
  }

  /** The URL of a store whose keys begin so. */
  public static String url(String prefix) {
    return ports().stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(",", "redis-cluster://", "?prefix=" + prefix));
  }

  private static List<Integer> start() {
    try {
      Path folder = Files.createTempDirectory("clew-redis-");
      RedisShardedCluster cluster =
          RedisShardedCluster.newRedisCluster()
              .serverPorts(threePorts())
              .withServerBuilder(RedisServer.builder().setting("dir " + folder))
              .initializationTimeout(Duration.ofSeconds(30))
              .shard("a", 0)
              .shard("b", 0)
              .shard("c", 0)
              .build();
      cluster.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster, folder)));
      for (int port : cluster.serverPorts()) {
        Await.until(() -> "the cluster is whole", () -> isWhole(port));
      }
      return List.copyOf(cluster.serverPorts());
    } catch (IOException e) {
      throw new UncheckedIOException("a Redis cluster cannot be started", e);
    }
  }

  private static List<Integer> threePorts() {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < 3) {
      int port = Ports.free();
      // Nodes talk to each other ten thousand ports above.
      if (port < 55_000 && !ports.contains(port)) {
        ports.add(port);
      }
    }
    return ports;
  }

  private static boolean isWhole(int port) {
    return RedisServer.ask("redis://127.0.0.1:" + port, redis -> redis.clusterInfo())
        .contains("cluster_state:ok");
  }

  private static void stop(RedisShardedCluster cluster, Path folder) {
    try {
      cluster.stop();
      Folders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
