package dev.clew.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.clew.ClewException;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.testservers.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be wrong with a server, and that each is said within the deadline. */
class TroubleTest {
  private final PostgresServer server = PostgresServer.shared();

  @Test
  void aWrongPassword_isSaidAtOnceWithoutShowingIt() {
    server.execute("CREATE ROLE locked_out LOGIN PASSWORD 'right'");
    server.requirePassword("locked_out");
    String url = "postgres://locked_out:wr0ng-secret@127.0.0.1:" + server.port() + "/postgres";

    assertThatThrownBy(() -> PostgresStore.open(url))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("check them in the URL")
        .hasMessageNotContaining("wr0ng-secret")
        .extracting(e -> ((ClewException) e).retryable())
        .isEqualTo(false);
  }

  @Test
  void aUserWhoMayNotMakeTables_isToldSo() {
    server.execute("CREATE ROLE modest LOGIN");
    String url = "postgres://modest@localhost:" + server.port() + "/postgres?schema=of_modest";

    assertThatThrownBy(() -> PostgresStore.open(url))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("a permission is missing");
  }

  @Test
  void aDatabaseThatDoesNotExist_isNamed() {
    assertThatThrownBy(
            () -> PostgresStore.open(server.url().replaceFirst("/postgres$", "/nowhere")))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("/nowhere: the database does not exist");
  }

  @Test
  void anUnknownHost_isSaidAtOnce() {
    assertThatThrownBy(() -> PostgresStore.open("postgres://a:b@no-such-host.invalid/app"))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("no-such-host.invalid:5432/app")
        .hasMessageContaining("the host is unknown");
  }

  @Test
  void aServerThatIsNotThere_isSaidAtOnce() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThatThrownBy(() -> PostgresStore.open("postgres://a:b@127.0.0.1:" + port + "/app"))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("cannot be reached")
        .extracting(e -> ((ClewException) e).retryable())
        .isEqualTo(true);
  }

  @Test
  void aSessionThatAnotherProgramKeepsLocked_failsWithinTheDeadlineAndHoldsUpNoOther()
      throws SQLException {
    String schema = PostgresServer.newSchema();
    try (SessionStore store = PostgresStore.open(server.url(schema) + "&deadline=3s")) {
      store.session("held").addItems(List.of(Item.user("one")));
      store.session("free").addItems(List.of(Item.user("one")));
      try (Connection other = server.connect();
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.execute("SELECT 1 FROM " + schema + ".sessions WHERE id = 'held' FOR UPDATE");
        long start = System.nanoTime();
        assertThatThrownBy(() -> store.session("held").addItems(List.of(Item.user("two"))))
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageContaining("keeps a transaction open");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        store.session("free").addItems(List.of(Item.user("two")));
        other.rollback();
      }
      store.session("held").addItems(List.of(Item.user("two")));
      assertThat(store.session("held").getItems()).hasSize(2);
      assertThat(store.session("free").getItems()).hasSize(2);
    }
  }

  @Test
  void aPoolWithNothingLeft_failsWithinTheDeadlineAndSaysWhichSetting() throws SQLException {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl("jdbc:postgresql://localhost:" + server.port() + "/postgres");
      pool.setUsername("postgres");
      pool.setMaximumPoolSize(1);
      pool.setConnectionTimeout(250);
      try (SessionStore store =
          PostgresStore.builder(pool)
              .schema(PostgresServer.newSchema())
              .deadline(Duration.ofSeconds(1))
              .open()) {
        store.session("s").addItems(List.of(Item.user("one")));
        try (Connection only = pool.getConnection()) {
          long start = System.nanoTime();
          assertThatThrownBy(() -> store.session("s").getItems())
              .isInstanceOf(StoreUnavailable.class)
              .hasMessageContaining("pool_size");
          assertThatThrownBy(() -> store.session("s").addItems(List.of(Item.user("two"))))
              .isInstanceOf(StoreUnavailable.class)
              .hasMessageContaining("pool_size");
          assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
          assertThat(only.isClosed()).isFalse();
        }
        assertThat(store.session("s").getItems()).hasSize(1);
      }
    }
  }

  @Test
  void aReadOnlyServer_servesReadsAndRefusesWritesWithTheRemedy() {
    String schema = PostgresServer.newSchema();
    server.execute("DROP DATABASE IF EXISTS readonly");
    server.execute("CREATE DATABASE readonly");
    String url =
        "postgres://postgres:postgres@localhost:" + server.port() + "/readonly?schema=" + schema;
    try (SessionStore store = PostgresStore.open(url)) {
      store.session("s").addItems(List.of(Item.user("one")));
    }
    server.execute("ALTER DATABASE readonly SET default_transaction_read_only = on");
    try (SessionStore store = PostgresStore.open(url)) {
      assertThat(store.session("s").getItems()).hasSize(1);
      assertThatThrownBy(() -> store.session("s").addItems(List.of(Item.user("two"))))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("read-only")
          .hasMessageContaining("primary");
      assertThat(store.session("s").getItems()).hasSize(1);
    }
  }

  @Test
  void aFullDisk_isNamedAndMayBeTriedAgain() {
    ClewException full =
        new PostgresErrors("here", Duration.ofSeconds(1))
            .unavailable(new SQLException("could not extend file", "53100"));
    assertThat(full).hasMessageContaining("disk is full").hasMessageContaining("free some space");
    assertThat(full.retryable()).isTrue();
  }

  @Test
  void urls_areStrict() {
    assertThatThrownBy(() -> PostgresStore.open("postgres://h/db?shema=x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown parameter 'shema'");
    assertThatThrownBy(() -> PostgresStore.open("postgres://user:secret@h/db?pool_size=0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pool_size")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> PostgresStore.open("postgres://user:secret@h:port/db"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("h:port")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> PostgresStore.open("postgres:app"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names a host and a database");
    assertThatThrownBy(() -> PostgresStore.open("postgres://h/db?migrate=maybe"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("apply or check");
    assertThatThrownBy(() -> PostgresStore.open("postgres://h/db?schema=Robert'"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a usable name");
  }
}
