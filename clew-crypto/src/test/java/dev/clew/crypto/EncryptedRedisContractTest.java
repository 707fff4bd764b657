package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.redis.RedisStore;
import dev.clew.tck.StoreOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import redis.embedded.RedisServer;

class EncryptedRedisContractTest extends EncryptedContract {
  private static @Nullable RedisServer server;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    server = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    server.start();
  }

  @AfterAll
  static void stop() throws IOException {
    Objects.requireNonNull(server).stop();
  }

  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    RedisStore.Builder builder =
        RedisStore.builder("redis://127.0.0.1:" + port + "?prefix=safe" + number)
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }
}
