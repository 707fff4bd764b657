package dev.clew.cli;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import redis.embedded.RedisServer;

/** Servers of the module's tests, started when first needed and ended with the JVM. Thread-safe. */
final class TestServers {
  private static final AtomicInteger STORES = new AtomicInteger();

  private TestServers() {}

  private static final class Postgres {
    static final int PORT = start();

    private static int start() {
      try {
        return EmbeddedPostgres.builder().setServerConfig("fsync", "off").start().getPort();
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(
            "the embedded PostgreSQL server could not be started; as root it needs 'unshare' with"
                + " user namespaces, else run the build as another user: "
                + e,
            e);
      }
    }
  }

  /** The URL of an empty PostgreSQL store. */
  static String postgres() {
    return "postgres://postgres:postgres@localhost:"
        + Postgres.PORT
        + "/postgres?schema=move_"
        + STORES.incrementAndGet();
  }

  private static final class Redis {
    static final int PORT = start();

    private static int start() {
      try {
        int port = freePort();
        RedisServer server =
            RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
        return port;
      } catch (IOException e) {
        throw new AssertionError("the embedded Redis server could not be started: " + e, e);
      }
    }

    private static int freePort() throws IOException {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }

    private static void stop(RedisServer server) {
      try {
        server.stop();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The URL of an empty Redis store. */
  static String redis() {
    return "redis://127.0.0.1:" + Redis.PORT + "?prefix=move" + STORES.incrementAndGet();
  }

  /** The URL of an empty store of each kind; a new kind of store is one more line here. */
  static Map<String, Supplier<String>> kinds(Path folder) {
    return new TreeMap<>(
        Map.of(
            "memory", () -> "memory:",
            "jsonl", () -> "jsonl:" + folder.resolve(UUID.randomUUID().toString()),
            "sqlite", () -> "sqlite:" + folder.resolve(UUID.randomUUID() + ".db"),
            "postgres", TestServers::postgres,
            "redis", TestServers::redis));
  }
}
