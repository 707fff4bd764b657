package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.tck.Await;
import dev.clew.testservers.RedisServer;
import dev.clew.testservers.Sentinel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A primary and a replica that a Sentinel looks after. */
class SentinelTest {
  @Test
  void whenThePrimaryDies_writingGoesOnAtTheReplica() {
    RedisServer primary = RedisServer.start();
    RedisServer replica =
        RedisServer.start("replicaof 127.0.0.1 " + primary.port(), "repl-diskless-sync-delay 0");
    try (Sentinel sentinel = Sentinel.of(primary);
        SessionStore store = RedisStore.open(sentinel.storeUrl() + "?deadline=2s")) {
      store.session("s").addItems(List.of(Item.user("before")));
      Await.until(
          () -> "the replica has it and the Sentinel knows the replica",
          () ->
              replica.ask(redis -> redis.dbsize()).equals(primary.ask(redis -> redis.dbsize()))
                  && RedisServer.ask(sentinel.url(), redis -> redis.info("sentinel"))
                      .contains("slaves=1"));
      primary.stop();
      Await.until(() -> "writing goes on", () -> append(store));
      assertThat(store.session("s").getItems(1)).isEqualTo(List.of(Item.user("after")));
      assertThat(store.session("s").getItems()).startsWith(Item.user("before"));
    } finally {
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
