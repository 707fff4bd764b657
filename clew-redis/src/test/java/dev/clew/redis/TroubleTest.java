package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.Watch;
import dev.clew.tck.Await;
import dev.clew.testservers.Ports;
import dev.clew.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What can be wrong with a server, and that each is said within the deadline. */
class TroubleTest {
  private static final List<Item> ONE = List.of(Item.user("one"));

  @Test
  void aWrongPassword_isSaidAtOnceWithoutShowingIt() {
    RedisServer server = RedisServer.start("requirepass right");
    try {
      String url = "redis://:wr0ng-secret@127.0.0.1:" + server.port();
      assertThatThrownBy(() -> RedisStore.open(url))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("127.0.0.1:" + server.port())
          .hasMessageContaining("check them in the URL")
          .hasMessageNotContaining("wr0ng-secret")
          .extracting(e -> ((ClewException) e).retryable())
          .isEqualTo(false);
      assertThatThrownBy(() -> RedisStore.open(server.url()))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("check them in the URL");
      RedisStore.open("redis://:right@127.0.0.1:" + server.port()).close();
      RedisStore.open("redis://default:right@127.0.0.1:" + server.port()).close();
    } finally {
      server.stop();
    }
  }

  @Test
  void anUnknownHost_isSaidAtOnce() {
    assertThatThrownBy(() -> RedisStore.open("redis://:secret@no-such-host.invalid/3"))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("no-such-host.invalid:6379/3")
        .hasMessageContaining("the host is unknown")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aServerThatIsNotThere_isSaidAtOnce() {
    int port = Ports.free();
    for (String scheme : List.of("redis", "redis-cluster")) {
      assertThatThrownBy(() -> RedisStore.open(scheme + "://127.0.0.1:" + port))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("cannot be reached")
          .extracting(e -> ((ClewException) e).retryable())
          .isEqualTo(true);
    }
  }

  @Test
  void aServerThatNeverAnswers_isGivenUpAtTheDeadline() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      long start = System.nanoTime();
      assertThatThrownBy(
              () -> RedisStore.open("redis://127.0.0.1:" + silent.getLocalPort() + "?deadline=1s"))
          .isInstanceOf(StoreUnavailable.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }
  }

  @Test
  void aServerThatStopsAnswering_leavesAWriteOfUnknownOutcomeAtTheDeadline() {
    RedisServer server = RedisServer.start();
    try (SessionStore store = RedisStore.open(server.url() + "?deadline=500ms")) {
      store.session("s").addItems(ONE);
      server.ask(redis -> redis.clientPause(2_000));
      long start = System.nanoTime();
      assertThatThrownBy(() -> store.session("s").addItems(ONE))
          .isInstanceOf(ClewException.OutcomeUnknown.class)
          .hasMessageContaining("the same operation id");
      assertThatThrownBy(() -> store.session("s").getItems())
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("no answer within 500 ms");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    } finally {
      server.stop();
    }
  }

  @Test
  void aValueOfAnotherTypeUnderAKeyOfOurs_isNamedAndNothingIsHalfWritten() {
    RedisServer server = RedisServer.shared();
    String prefix = RedisServer.newPrefix();
    SessionKey key = new SessionKey("ann", "s");
    try (SessionStore store = RedisStore.open(server.url(prefix))) {
      store.session(key).addItems(ONE);
      long version = store.session(key).info().orElseThrow().version();
      String items = Wire.text(new Keys(prefix).of(key).items);
      server.ask(redis -> redis.set(items, "something else"));

      for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
          List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
              () -> store.session(key).addItems(ONE),
              () -> store.session(key).getItems(),
              () -> store.session(key).popItem(),
              () -> store.session(key).commit(Commit.append(ONE).operationId("again")))) {
        assertThatThrownBy(call)
            .isInstanceOf(ClewException.CorruptRecord.class)
            .hasMessageContaining("127.0.0.1:" + server.port())
            .hasMessageContaining(new Keys(prefix).of(key).place)
            .hasMessageContaining("another prefix");
      }
      assertThat(store.session(key).info().orElseThrow().version()).isEqualTo(version);
      assertThat(store.list(SessionQuery.of("ann")).sessions()).hasSize(1);
      List<Finding> findings = new ArrayList<>();
      store.check(findings::add);
      assertThat(findings).extracting(Finding::kind).contains(Finding.Kind.BACKEND);

      server.ask(redis -> redis.del(items));
      assertThat(store.session(key).commit(Commit.append(ONE).operationId("again")).repeated())
          .as("what failed was not remembered as done")
          .isFalse();
    }
  }

  @Test
  void aReplica_refusesWritesAndSaysSo() {
    RedisServer primary = RedisServer.start();
    RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + primary.port());
    try {
      String prefix = RedisServer.newPrefix();
      try (SessionStore store = RedisStore.open(primary.url(prefix))) {
        store.session("s").addItems(ONE);
      }
      Await.until(
          () -> "the replica has followed",
          () -> replica.ask(redis -> redis.exists(prefix + ":layout")) == 1);
      try (SessionStore store = RedisStore.open(replica.url(prefix))) {
        assertThat(store.session("s").getItems()).hasSize(1);
        assertThatThrownBy(() -> store.session("s").addItems(ONE))
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageContaining("read-only replica")
            .hasMessageContaining("connect to the primary");
      }
    } finally {
      replica.stop();
      primary.stop();
    }
  }

  @Test
  void aStoreOpenedToRead_hearsOfWhatOthersWriteAndMarksNothing() {
    String prefix = RedisServer.newPrefix();
    String url = RedisServer.shared().url(prefix);
    List<SessionEvent> heard = new CopyOnWriteArrayList<>();
    try (SessionStore writing = Stores.open(url);
        SessionStore reading = Stores.open(url, Opening.READ);
        Watch watch = reading.session("s").watch(0, heard::add)) {
      for (int i = 1; i <= 2; i++) { // the first may be seen by the look that begins the watch
        int count = i;
        writing.session("s").addItems(ONE);
        Await.until(() -> "heard of " + count, () -> heard.size() == count);
      }
      assertThat(watch).isNotNull();
      String mark = Wire.text(new Keys(prefix).of(SessionKey.of("s")).watch);
      assertThat(RedisServer.shared().<Long>ask(redis -> redis.exists(mark))).isZero();
    }
  }

  @Test
  void aServerWithoutMemoryLeft_refusesWritesWholeAndTakesThemAgainWhenItHasSome() {
    RedisServer server = RedisServer.start("maxmemory-policy noeviction");
    try (SessionStore store = RedisStore.open(server.url())) {
      store.session("s").addItems(ONE);
      server.ask(redis -> redis.configSet("maxmemory", "1"));
      assertThatThrownBy(() -> store.session("s").addItems(List.of(Item.user("x"), Item.user("y"))))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("maxmemory")
          .extracting(e -> ((ClewException) e).retryable())
          .isEqualTo(true);
      assertThat(store.session("s").getItems()).isEqualTo(ONE);
      server.ask(redis -> redis.configSet("maxmemory", "0"));
      store.session("s").addItems(ONE);
      assertThat(store.session("s").getItems()).hasSize(2);
    } finally {
      server.stop();
    }
  }

  @Test
  void aServerThatIsLoading_isWaitedFor() {
    ClewException loading =
        new RedisErrors("here", Duration.ofSeconds(1))
            .unavailable(
                new io.lettuce.core.RedisLoadingException(
                    "LOADING Redis is loading the dataset in memory"),
                "");
    assertThat(loading).isInstanceOf(StoreUnavailable.class).hasMessageContaining("still loading");
    assertThat(loading.retryable()).isTrue();
    assertThat(
            RedisErrors.isPassing(
                new io.lettuce.core.RedisLoadingException("LOADING Redis is loading")))
        .isTrue();
  }

  @Test
  void keysOfAnotherLayout_areLeftAlone() {
    String prefix = RedisServer.newPrefix();
    RedisServer.shared().ask(redis -> redis.set(prefix + ":layout", "7"));

    assertThatThrownBy(() -> RedisStore.open(RedisServer.shared().url(prefix)))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(prefix + ":layout");
  }

  @Test
  void aClientOfTheApplications_isNeverClosed() {
    RedisClient client = RedisClient.create(RedisServer.shared().url());
    try {
      String prefix = RedisServer.newPrefix();
      try (SessionStore store = RedisStore.builder(client).prefix(prefix).open()) {
        store.session("s").addItems(List.of(Item.user("one"), Item.user("two")));
        assertThat(store.session("s").popItem()).contains(Item.user("two"));
        assertThat(store.session("s").getItems()).isEqualTo(ONE);
        assertThat(store.session("s").getItems(5)).isEqualTo(ONE);
      }
      try (var connection = client.connect()) {
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      }
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void aUserWithTheRightsOfTheDocument_canDoEverything() throws IOException {
    String rights =
        Files.readAllLines(Path.of("../docs/redis.md")).stream()
            .filter(line -> line.startsWith("`+@read"))
            .map(line -> line.substring(1, line.indexOf('`', 1)))
            .findFirst()
            .orElseThrow();
    RedisServer server = RedisServer.start("user clew on >secret " + rights);
    try (SessionStore store = RedisStore.open("redis://clew:secret@127.0.0.1:" + server.port())) {
      StoredSession session = store.session("s");
      List<SessionEvent> heard = new CopyOnWriteArrayList<>();
      try (Watch watch = session.watch(0, heard::add)) {
        session.addItems(ONE);
        Await.until(() -> "heard of", () -> !heard.isEmpty());
        assertThat(watch).isNotNull();
      }
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(1);
      session.popItem();
      store.sweep(10);
      store.erase("");
    } finally {
      server.stop();
    }
  }

  @Test
  void urls_areStrict() {
    assertRefused("redis://h?prefx=x", "unknown parameter 'prefx'");
    assertRefused("redis://user:secret@h?limit=-1", "limit");
    assertRefused("redis://user:secret@h:port", "h:port");
    assertRefused("redis:app", "names a host");
    assertRefused("redis://h/db", "not the number of a Redis database");
    assertRefused("redis-cluster://h/1", "only database 0");
    assertRefused("redis-sentinel://h", "names the primary");
    assertRefused("redis://h?prefix=a%20b", "not usable");
    assertRefused("redis://h?durability=maybe", "process_crash or power_loss");
  }

  private static void assertRefused(String url, String why) {
    assertThatThrownBy(() -> RedisStore.open(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why)
        .hasMessageNotContaining("secret");
  }
}
