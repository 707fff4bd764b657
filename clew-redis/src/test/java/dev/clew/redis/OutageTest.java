package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Durability;
import dev.clew.Item;
import dev.clew.SessionEvent;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Watch;
import dev.clew.tck.Await;
import dev.clew.tck.Writers;
import dev.clew.testservers.RedisServer;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store does when the server goes away and comes back, with and without its data. */
class OutageTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");

  /** How long after the server is back a write succeeds again, at the latest. */
  private static final Duration BACK = Duration.ofSeconds(5);

  @Test
  void aServerKilledUnderLoad_losesNothingAndGetsNothingTwice(@TempDir Path folder)
      throws InterruptedException {
    int kills = SOAK ? 20 : 4;
    RedisServer server = RedisServer.start("appendonly yes", "appendfsync always", "dir " + folder);
    try (SessionStore store = RedisStore.open(server.url())) {
      assertThat(store.traits().durability()).isEqualTo(Durability.POWER_LOSS);
      Writers writers = new Writers(store, "kill", 8);
      for (int i = 0; i < kills; i++) {
        int before = writers.acknowledged();
        Await.until(() -> "writing goes on", () -> writers.acknowledged() > before + 100);
        server.stop();
        server.startAgain();
        int afterStart = writers.acknowledged();
        Await.within(BACK, () -> "back again", () -> writers.acknowledged() > afterStart);
      }
      writers.stop();
      writers.check();
    } finally {
      server.stop();
    }
  }

  @Test
  void connectionsKilledMidTurn_loseNothingAndGetNothingTwice() throws InterruptedException {
    int kills = SOAK ? 200 : 20;
    RedisServer server = RedisServer.start();
    try (SessionStore store = RedisStore.open(server.url())) {
      Writers writers = new Writers(store, "terminate", 8);
      killConnections(server, writers, kills);
      writers.stop();
      writers.check();
    } finally {
      server.stop();
    }
  }

  @Test
  void aClientThatRepeatsCommandsByItself_doublesNothing() throws InterruptedException {
    RedisServer server = RedisServer.start();
    RedisClient client = RedisClient.create(server.url());
    try (SessionStore store = RedisStore.builder(client).open()) {
      Writers writers = new Writers(store, "replay", 8);
      killConnections(server, writers, SOAK ? 200 : 20);
      writers.stop();
      writers.check();
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
      server.stop();
    }
  }

  private static void killConnections(RedisServer server, Writers writers, int kills) {
    for (int i = 0; i < kills; i++) {
      int before = writers.acknowledged();
      Await.until(() -> "writing goes on", () -> writers.acknowledged() > before + 20);
      server.ask(redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
    }
  }

  @Test
  void anAppendWithoutAnOperationId_isNeverRepeatedByTheStore() {
    RedisServer server = RedisServer.start();
    try (SessionStore store = RedisStore.open(server.url())) {
      int acknowledged = 0;
      int unknown = 0;
      Thread killer =
          new Thread(
              () -> {
                for (int i = 0; i < 30; i++) {
                  server.ask(redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
                }
              });
      killer.start();
      while (killer.isAlive()) {
        try {
          store.session("s").addItems(List.of(Item.user("x")));
          acknowledged++;
        } catch (ClewException.OutcomeUnknown e) {
          unknown++;
        }
      }
      assertThat(store.session("s").getItems().size())
          .isBetween(acknowledged, acknowledged + unknown);
    } finally {
      server.stop();
    }
  }

  @Test
  void aWatcher_hearsOfWhatIsWrittenAfterAnOutage(@TempDir Path folder) {
    RedisServer server = RedisServer.start("appendonly yes", "appendfsync always", "dir " + folder);
    List<SessionEvent> heard = new CopyOnWriteArrayList<>();
    try (SessionStore store = RedisStore.open(server.url());
        SessionStore other = RedisStore.open(server.url())) {
      StoredSession session = store.session("watched");
      try (Watch watch = session.watch(0, heard::add)) {
        other.session("watched").addItems(List.of(Item.user("before")));
        Await.until(() -> "the first is heard of", () -> heard.size() == 1);
        server.stop();
        server.startAgain();
        other.session("watched").addItems(List.of(Item.user("after")));
        Await.until(() -> "the second is heard of", () -> heard.size() == 2);
        assertThat(watch).isNotNull();
      }
      assertThat(heard).allMatch(event -> event instanceof SessionEvent.Appended);
    } finally {
      server.stop();
    }
  }

  @Test
  void aHistoryThatWentBackwards_isReportedOnceAndItsNumbersAreNotUsedAgain() {
    RedisServer server = RedisServer.start();
    List<SessionEvent> heard = new CopyOnWriteArrayList<>();
    try (SessionStore store = RedisStore.open(server.url())) {
      assertThat(store.traits().durability()).isEqualTo(Durability.AS_THE_SERVER);
      StoredSession session = store.session("s");
      session.addItems(List.of(Item.user("one"), Item.user("two")));
      long lost = session.info().orElseThrow().version();
      // As a failover to a replica that had not heard of it yet.
      server.ask(redis -> redis.flushall());

      assertThat(session.getItems()).isEmpty();
      assertThatThrownBy(() -> session.addItems(List.of(Item.user("three"))))
          .isInstanceOf(ClewException.VersionConflict.class)
          .hasMessageContaining("went back from version " + lost + " to 0")
          .hasMessageContaining("127.0.0.1:" + server.port());
      session.addItems(List.of(Item.user("three")));
      assertThat(session.getItems()).isEqualTo(List.of(Item.user("three")));
      assertThat(session.info().orElseThrow().version()).isGreaterThan(lost);
      try (Watch watch = session.watch(lost, heard::add)) {
        Await.until(() -> "told", () -> !heard.isEmpty());
        assertThat(watch).isNotNull();
      }
    } finally {
      server.stop();
    }
  }

  @Test
  void aRepeatedTurnAfterALostAnswer_isDoneOnce() {
    RedisServer server = RedisServer.shared();
    try (SessionStore store = RedisStore.open(server.url(RedisServer.newPrefix()))) {
      Commit turn = Commit.append(List.of(Item.user("once"))).operationId("turn");
      store.session("s").commit(turn);
      server.ask(redis -> redis.scriptFlush());

      assertThat(store.session("s").commit(turn).repeated()).isTrue();
      assertThat(store.session("s").getItems()).hasSize(1);
    }
  }
}
