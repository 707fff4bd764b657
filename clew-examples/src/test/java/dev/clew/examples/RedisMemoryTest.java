package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

/** The example of Redis, on a real server. */
class RedisMemoryTest {
  private static RedisServer server;
  private static String url;

  @BeforeAll
  static void start() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    server = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    server.start();
    url = "redis://127.0.0.1:" + port;
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop();
  }

  @Test
  void redisMemory_remembersLikeAnyOther() {
    try (SessionStore store = Stores.open(url + "?prefix=test")) {
      store.session("user_123").addItems(List.of(Item.user("of the last time")));
      assertThat(RedisMemory.talk(store))
          .containsExactly("Nice to meet you, Ada.", "Your name is Ada.");
      assertThat(store.session("user_123").getItems()).hasSize(4);
    }
  }

  @Test
  void redisMemory_runsAsAProgram() throws ReflectiveOperationException {
    assertThat(Output.of("RedisMemory", url))
        .containsExactly(
            "Nice to meet you, Ada.", "Your name is Ada.", "Another host sees 4 items.");
  }
}
