package dev.clew.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.clew.ClewException;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.SearchQuery;
import dev.clew.SessionEvent;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.Watch;
import dev.clew.tck.Await;
import dev.clew.testservers.PostgresServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How stores are opened, and their tables made or checked. */
class OpeningTest {
  private final PostgresServer server = PostgresServer.shared();

  @Test
  void manyProcessesThatOpenAtOnce_makeTheTablesOnce() throws Exception {
    String url = server.url(PostgresServer.newSchema()) + "&pool_size=1";
    ExecutorService threads = Executors.newFixedThreadPool(12);
    try {
      List<Future<SessionStore>> opening =
          IntStream.range(0, 12).mapToObj(i -> threads.submit(() -> Stores.open(url))).toList();
      for (Future<SessionStore> one : opening) {
        try (SessionStore store = one.get()) {
          store.session("shared").addItems(List.of(Item.user("here")));
        }
      }
      try (SessionStore store = Stores.open(url)) {
        assertThat(store.session("shared").getItems()).hasSize(12);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whoMayOnlySelect_canReadAndSearchAndIsRefusedToWrite() {
    String schema = PostgresServer.newSchema();
    try (SessionStore store = Stores.open(server.url(schema))) {
      store.session("s").addItems(List.of(Item.user("the golden gate")));
    }
    String role = "reader_" + schema;
    server.execute(
        "CREATE ROLE %1$s LOGIN PASSWORD 'r'; GRANT USAGE ON SCHEMA %2$s TO %1$s; GRANT SELECT ON ALL TABLES IN SCHEMA %2$s TO %1$s"
            .formatted(role, schema));
    String url = server.url(schema).replaceFirst("//[^@]*@", "//" + role + ":r@");
    try (SessionStore store = Stores.open(url, Opening.READ)) {
      assertThat(store.session("s").getItems()).hasSize(1);
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(1);
      assertThat(store.search(SearchQuery.of("", "golden")).hits()).hasSize(1);
      assertThatThrownBy(() -> store.session("s").addItems(List.of(Item.user("more"))))
          .isInstanceOf(ClewException.NotSupported.class);
    }
  }

  @Test
  void whoMayOnlyRead_hearsOfWhatOthersWrite() {
    String url = server.url(PostgresServer.newSchema());
    List<SessionEvent> heard = new CopyOnWriteArrayList<>();
    try (SessionStore writing = Stores.open(url);
        SessionStore reading = Stores.open(url, Opening.READ);
        Watch watch = reading.session("s").watch(0, heard::add)) {
      for (int i = 1; i <= 2; i++) { // the first may be seen by the look that begins the watch
        int count = i;
        writing.session("s").addItems(List.of(Item.user("one")));
        Await.until(() -> "heard of " + count, () -> heard.size() == count);
      }
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void bothSchemes_openTheSameStore() {
    String url = server.url(PostgresServer.newSchema());
    try (SessionStore store = Stores.open(url);
        SessionStore same = Stores.open(url.replaceFirst("^postgres:", "postgresql:"))) {
      store.session("s").addItems(List.of(Item.user("one")));
      assertThat(same.session("s").getItems()).hasSize(1);
    }
  }

  @Test
  void checking_makesNoTablesAndAcceptsThoseThatWerePrinted() {
    String schema = PostgresServer.newSchema();
    String url = server.url(schema) + "&migrate=check";
    assertThatThrownBy(() -> Stores.open(url))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("clew schema postgres");

    server.execute(PostgresSchema.sql(schema));
    try (SessionStore store = Stores.open(url)) {
      store.session("s").addItems(List.of(Item.user("one")));
      assertThat(store.session("s").getItems()).hasSize(1);
    }
  }

  @Test
  void tablesFromBeforeTheIndexesOfMarkedSessions_getThem_orAreGoodWithout() {
    String schema = PostgresServer.newSchema();
    String url = server.url(schema);
    try (SessionStore store = Stores.open(url)) {
      store.session("s").update(SessionUpdate.none().pinned(true));
    }
    String index = schema + ".sessions_pinned";
    server.execute("DROP INDEX " + index);
    server.execute("DELETE FROM " + schema + ".meta WHERE name = 'indexes'");

    try (SessionStore store = Stores.open(url + "&migrate=check")) {
      assertThat(store.list(SessionQuery.of("").pinned(true)).sessions()).hasSize(1);
    }
    try (SessionStore store = Stores.open(url)) {
      assertThat(store.list(SessionQuery.of("").pinned(true)).sessions()).hasSize(1);
    }
    server.execute("DROP INDEX " + index);
  }

  @Test
  void tablesOfANewerClew_areLeftAlone() {
    String schema = PostgresServer.newSchema();
    Stores.open(server.url(schema)).close();
    server.execute("UPDATE " + schema + ".meta SET value = 99 WHERE name = 'schema'");

    assertThatThrownBy(() -> Stores.open(server.url(schema)))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("newer Clew");
  }

  @Test
  void aDatabaseThatIsNotUtf8_isRefused() {
    server.execute("DROP DATABASE IF EXISTS latin");
    server.execute(
        "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");

    assertThatThrownBy(
            () -> Stores.open("postgres://postgres:postgres@localhost:" + server.port() + "/latin"))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("LATIN1")
        .hasMessageContaining("UTF8");
  }

  @Test
  void aDataSourceOfTheApplication_isUsedAndNeverClosed() {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl("jdbc:postgresql://localhost:" + server.port() + "/postgres");
      pool.setUsername("postgres");
      pool.setMaximumPoolSize(4);
      SessionStore store = PostgresStore.builder(pool).schema(PostgresServer.newSchema()).open();
      store.session("s").addItems(List.of(Item.user("one")));
      assertThat(store.session("s").getItems()).hasSize(1);
      store.close();
      store.close();

      assertThat(pool.isClosed()).isFalse();
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }
}
