package dev.clew.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.cli.TestStores;
import dev.clew.crypto.EncryptedStore;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.kit.Sha256;
import dev.clew.tck.SampleSessions;
import dev.clew.testservers.PostgresServer;
import dev.clew.testservers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What each kind of store does when it may only be read, or may not be made. */
class OpeningEveryStoreTest {
  @TempDir Path folder;

  /** A check of one kind of store, by a URL at which there is none yet. */
  private interface Check {
    void run(String url) throws Exception;
  }

  private Stream<DynamicTest> everyLasting(Check check) {
    Map<String, Supplier<String>> kinds = TestStores.kinds(folder);
    kinds.remove("memory");
    return kinds.entrySet().stream()
        .map(
            kind -> DynamicTest.dynamicTest(kind.getKey(), () -> check.run(kind.getValue().get())));
  }

  /** What there is at a URL, down to the last byte. */
  private Map<String, String> everything(String url) throws IOException, SQLException {
    Map<String, String> found = new TreeMap<>();
    if (url.startsWith("postgres")) {
      tables(url.replaceFirst(".*schema=(\\w+).*", "$1"), found);
      return found;
    }
    if (url.startsWith("redis")) {
      String keys = url.replaceFirst(".*prefix=", "") + "*";
      RedisServer.shared()
          .ask(
              redis -> {
                redis.keys(keys).forEach(key -> found.put(key, digest(redis.dump(key))));
                return keys;
              });
      return found;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        String content = Files.isDirectory(file) ? "folder" : digest(Files.readAllBytes(file));
        found.put(folder.relativize(file).toString(), content);
      }
    }
    return found;
  }

  /** What a failure prints must be short. */
  private static String digest(byte[] content) {
    return HexFormat.of().formatHex(Sha256.of(content));
  }

  private static void tables(String schema, Map<String, String> found) throws SQLException {
    try (Connection connection = PostgresServer.shared().connect();
        Statement statement = connection.createStatement()) {
      List<String> names = new ArrayList<>();
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT tablename FROM pg_tables WHERE schemaname = '" + schema + "'")) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
      for (String name : names) {
        try (ResultSet rows =
            statement.executeQuery(
                "SELECT string_agg(t::text, ',' ORDER BY t::text) FROM "
                    + schema
                    + "."
                    + name
                    + " t")) {
          rows.next();
          found.put(name, Sha256.hex(String.valueOf(rows.getString(1))));
        }
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> whereThereIsNoStoreNoneIsMade() {
    return everyLasting(
        url -> {
          Map<String, String> before = everything(url);
          for (Opening opening : List.of(Opening.READ, Opening.WRITE)) {
            assertThatThrownBy(() -> Stores.open(url, opening))
                .isInstanceOf(ClewException.NoSuchStore.class)
                .hasMessageContaining("clew init");
          }
          assertThat(everything(url)).isEqualTo(before);
        });
  }

  @TestFactory
  Stream<DynamicTest> whatIsMadeIsToldOnce() {
    return everyLasting(
        url -> {
          List<String> made = new ArrayList<>();
          Stores.open(url, Opening.CREATE.telling(made::add)).close();
          Stores.open(url, Opening.CREATE.telling(made::add)).close();
          Stores.open(url, Opening.WRITE.telling(made::add)).close();
          assertThat(made).hasSize(1);
        });
  }

  @TestFactory
  Stream<DynamicTest> readingFindsEverythingAndChangesNothing() {
    return everyLasting(
        url -> {
          try (SessionStore store = Stores.open(url)) {
            SampleSessions.fill(store);
            store.session("short").addItems(List.of(Item.user("gone in a moment")));
            store.session("short").update(SessionUpdate.none().timeToLive(Duration.ofMillis(1)));
            store.session("find").addItems(List.of(Item.user("the golden gate bridge")));
          }
          Map<String, String> before = everything(url);
          try (SessionStore store = Stores.open(url, Opening.READ)) {
            assertThat(store.session("find").getItems()).hasSize(1);
            assertThat(store.list(SessionQuery.of("")).sessions()).isNotEmpty();
            assertThat(store.owners(Optional.empty(), 100)).isNotEmpty();
            assertThat(store.search(SearchQuery.of("", "golden gate")).hits())
                .as("found, though no process has had the time to index it")
                .hasSize(1);
            store.check(finding -> {});
            store.ping();
            assertThat(SampleSessions.all(store)).isNotEmpty();
          }
          assertThat(everything(url)).isEqualTo(before);
        });
  }

  @TestFactory
  Stream<DynamicTest> everyWriteIsRefused() {
    return everyLasting(
        url -> {
          SessionKey key = SessionKey.of("s");
          try (SessionStore store = Stores.open(url)) {
            store.session(key).addItems(List.of(Item.user("one")));
          }
          Map<String, String> before = everything(url);
          try (SessionStore store = Stores.open(url, Opening.READ)) {
            Commit more = Commit.append(List.of(Item.user("two")));
            List<ThrowingCallable> writes =
                List.of(
                    () -> store.session(key).commit(more),
                    () -> store.session(key).commitAsync(more).get(),
                    () -> store.session(key).removeLast(),
                    () -> store.session(key).delete(),
                    () -> store.session(key).forkTo(SessionKey.of("t"), Long.MAX_VALUE),
                    () -> store.session(key).update(SessionUpdate.none().title("x")),
                    () ->
                        store
                            .leases()
                            .tryAcquire(key, "turn", "me", java.time.Duration.ofSeconds(1)),
                    () -> store.documents().put("", "r", "{}"),
                    () -> store.documents().delete("", "r"),
                    () -> store.erase(""),
                    () -> store.sweep(1));
            for (ThrowingCallable write : writes) {
              assertThatThrownBy(write)
                  .isInstanceOfAny(
                      ClewException.NotSupported.class,
                      java.util.concurrent.ExecutionException.class)
                  .hasMessageContaining("opened to read only");
            }
            assertThat(store.session(key).entries(Range.latest(5)).entries()).hasSize(1);
          }
          assertThat(everything(url)).isEqualTo(before);
        });
  }

  @TestFactory
  Stream<DynamicTest> anEncryptedStoreIsReadWithoutAChange() {
    return everyLasting(
        url -> {
          Path file = folder.resolve("keys-" + url.hashCode());
          MasterKeys keys = MasterKeys.create(new KeySource.InFile(file));
          Stores.open(url).close();
          Map<String, String> unmarked = everything(url);
          try (SessionStore store = EncryptedStore.over(Stores.open(url, Opening.READ), keys)) {
            assertThat(store.list(SessionQuery.of("")).sessions()).isEmpty();
          }
          assertThat(everything(url)).isEqualTo(unmarked);
          try (SessionStore store = EncryptedStore.over(Stores.open(url), keys)) {
            store.session("s").addItems(List.of(Item.user("secret")));
          }
          Map<String, String> before = everything(url);
          try (SessionStore store = EncryptedStore.over(Stores.open(url, Opening.READ), keys)) {
            assertThat(store.session("s").getItems()).containsExactly(Item.user("secret"));
            assertThatThrownBy(() -> store.session("s").addItems(List.of(Item.user("more"))))
                .isInstanceOf(ClewException.NotSupported.class);
          }
          assertThat(everything(url)).isEqualTo(before);
        });
  }
}
