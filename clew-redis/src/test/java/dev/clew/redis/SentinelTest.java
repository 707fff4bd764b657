package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.tck.Await;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisSentinel;

/** A primary and a replica that a Sentinel looks after. */
class SentinelTest {
  @Test
  void whenThePrimaryDies_writingGoesOnAtTheReplica() throws IOException {
    TestRedis primary = TestRedis.start("save \"\"");
    TestRedis replica =
        TestRedis.start(
            "save \"\"", "replicaof 127.0.0.1 " + primary.port(), "repl-diskless-sync-delay 0");
    int port = TestRedis.freePort();
    RedisSentinel sentinel =
        RedisSentinel.newRedisSentinel()
            .bind("127.0.0.1")
            .port(port)
            .masterName("mymaster")
            .masterPort(primary.port())
            .quorumSize(1)
            .downAfterMilliseconds(500L)
            .failOverTimeout(2000L)
            .build();
    sentinel.start();
    try (SessionStore store =
        RedisStore.open("redis-sentinel://127.0.0.1:" + port + "/mymaster?deadline=2s")) {
      store.session("s").addItems(List.of(Item.user("before")));
      Await.until(
          () -> "the replica has it and the Sentinel knows the replica",
          () ->
              replica.ask(redis -> redis.dbsize()).equals(primary.ask(redis -> redis.dbsize()))
                  && TestRedis.ask("redis://127.0.0.1:" + port, redis -> redis.info("sentinel"))
                      .contains("slaves=1"));
      primary.stop();
      Await.until(() -> "writing goes on", () -> append(store));
      assertThat(store.session("s").getItems(1)).isEqualTo(List.of(Item.user("after")));
      assertThat(store.session("s").getItems()).startsWith(Item.user("before"));
    } finally {
      sentinel.stop();
      replica.stop();
      primary.stop();
    }
  }

  private static boolean append(SessionStore store) {
    try {
      store.session("s").addItems(List.of(Item.user("after")));
      return true;
    } catch (ClewException e) {
      assertThat(e.retryable()).as(e.getMessage()).isTrue();
      return false;
    }
  }
}
