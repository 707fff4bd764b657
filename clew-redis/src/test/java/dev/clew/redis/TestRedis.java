package dev.clew.redis;

import dev.clew.tck.Await;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import redis.embedded.RedisServer;
import redis.embedded.RedisShardedCluster;
import redis.embedded.core.RedisServerBuilder;

/** Real servers for tests. Those that are shared live until the JVM ends. Thread-safe. */
final class TestRedis {
  private static final class Single {
    static final TestRedis SERVER = start("save \"\"");
  }

  private static final class Cluster {
    static final List<Integer> PORTS = startCluster();
  }

  private final int port;
  private final String[] settings;
  private RedisServer server;

  private TestRedis(int port, String[] settings) {
    this.port = port;
    this.settings = settings;
    startAgain();
  }

  /** The one server of all tests that leave it as it is. */
  static TestRedis shared() {
    return Single.SERVER;
  }

  /** A server of one's own, with these settings. */
  static TestRedis start(String... settings) {
    return new TestRedis(freePort(), settings);
  }

  /** Prefixes keep the stores of tests apart. */
  static String newPrefix() {
    return "t" + UUID.randomUUID().toString().substring(0, 8);
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A new folder that outlives the tests of a class, as the shared servers do. */
  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("clew-redis");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void startAgain() {
    try {
      RedisServerBuilder builder =
          RedisServer.newRedisServer().port(port).bind("127.0.0.1").onShutdownForceStop(true);
      for (String setting : settings) {
        builder.setting(setting);
      }
      server = builder.build();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException("Redis cannot be started on port " + port, e);
    }
  }

  /** Kills it. */
  synchronized void stop() {
    try {
      server.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  String url(String prefix) {
    return url() + "?prefix=" + prefix;
  }

  /** Asks the server by a connection of its own. */
  <T> T ask(Function<RedisCommands<String, String>, T> question) {
    return ask(url(), question);
  }

  static <T> T ask(String url, Function<RedisCommands<String, String>, T> question) {
    RedisClient client = RedisClient.create(url);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return question.apply(connection.sync());
    } finally {
      client.shutdown(0, 1, java.util.concurrent.TimeUnit.SECONDS);
    }
  }

  /** The shared cluster of three masters. */
  static String clusterUrl(String prefix) {
    List<String> hosts = new ArrayList<>();
    Cluster.PORTS.forEach(port -> hosts.add("127.0.0.1:" + port));
    return "redis-cluster://" + String.join(",", hosts) + "?prefix=" + prefix;
  }

  static List<Integer> clusterPorts() {
    return Cluster.PORTS;
  }

  private static List<Integer> startCluster() {
    try {
      List<Integer> ports = new ArrayList<>();
      while (ports.size() < 3) {
        int port = freePort();
        // Nodes talk to each other ten thousand ports above.
        if (port < 55_000 && !ports.contains(port)) {
          ports.add(port);
        }
      }
      Path folder = folder();
      RedisShardedCluster cluster =
          RedisShardedCluster.newRedisCluster()
              .serverPorts(ports)
              .withServerBuilder(
                  RedisServer.newRedisServer().setting("save \"\"").setting("dir " + folder))
              .initializationTimeout(Duration.ofSeconds(30))
              .shard("a", 0)
              .shard("b", 0)
              .shard("c", 0)
              .build();
      cluster.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster)));
      for (int port : cluster.serverPorts()) {
        Await.until(
            () -> "the cluster is whole",
            () ->
                ask("redis://127.0.0.1:" + port, redis -> redis.clusterInfo())
                    .contains("cluster_state:ok"));
      }
      return List.copyOf(cluster.serverPorts());
    } catch (IOException e) {
      throw new UncheckedIOException("a Redis cluster cannot be started", e);
    }
  }

  private static void stop(RedisShardedCluster cluster) {
    try {
      cluster.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
