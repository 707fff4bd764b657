package dev.clew.testservers;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import redis.embedded.core.RedisServerBuilder;

/**
 * A Redis server on a free port, which takes no snapshots of its own accord. Ends with the JVM at
 * the latest. Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
  private static final class Shared {
    static final RedisServer SERVER = start();
  }

  private final int port = Ports.free();
  private final String[] settings;
  private redis.embedded.RedisServer server;

  private RedisServer(String[] settings) {
    this.settings = settings;
    server = launch();
  }

  /** The one server of this JVM, for all tests that leave it as it is. */
  public static RedisServer shared() {
    return Shared.SERVER;
  }

  /** A server of one's own, with these settings, each a line of {@code redis.conf}. */
  public static RedisServer start(String... settings) {
    return new RedisServer(settings);
  }

  static RedisServerBuilder builder() {
    return redis.embedded.RedisServer.newRedisServer().bind("127.0.0.1").setting("save \"\"");
  }

  private redis.embedded.RedisServer launch() {
    try {
      RedisServerBuilder builder = builder().port(port).onShutdownForceStop(true);
      for (String setting : settings) {
        builder.setting(setting);
      }
      redis.embedded.RedisServer started = builder.build();
      started.start();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("Redis cannot be started on port " + port, e);
    }
  }

  /** Starts it again on the same port. */
  public synchronized void startAgain() {
    server = launch();
  }

  /** Kills it. */
  public synchronized void stop() {
    try {
      server.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
  }

  public int port() {
    return port;
  }

  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** The URL of a store whose keys begin so. */
  public String url(String prefix) {
    return url() + "?prefix=" + prefix;
  }

  /** The URL of an empty store. */
  public String newUrl() {
    return url(newPrefix());
  }

  /** A prefix nobody uses yet. */
  public static String newPrefix() {
    return "t" + UUID.randomUUID().toString().substring(0, 8);
  }

  /** Asks the server by a connection of its own. */
  public <T> T ask(Function<RedisCommands<String, String>, T> question) {
    return ask(url(), question);
  }

  /** Asks any server by a connection of its own. */
  public static <T> T ask(String url, Function<RedisCommands<String, String>, T> question) {
    RedisClient client = RedisClient.create(url);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return question.apply(connection.sync());
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
