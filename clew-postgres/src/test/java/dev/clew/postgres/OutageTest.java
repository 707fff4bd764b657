package dev.clew.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionEvent;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Watch;
import dev.clew.tck.Await;
import dev.clew.tck.Writers;
import dev.clew.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a store does when the server goes away and comes back. */
class OutageTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");

  /** How long after the server is back a write succeeds again, at the latest. */
  private static final Duration BACK = Duration.ofSeconds(5);

  private final PostgresServer server = PostgresServer.shared();

  @Test
  void aServerKilledUnderLoad_losesNothingAndGetsNothingTwice() throws InterruptedException {
    int kills = SOAK ? 20 : 4;
    try (SessionStore store = PostgresStore.open(server.url(PostgresServer.newSchema()))) {
      Writers writers = new Writers(store, "kill", 8);
      for (int i = 0; i < kills; i++) {
        int before = writers.acknowledged();
        Await.until(() -> "writing goes on", () -> writers.acknowledged() > before + 100);
        server.stopImmediately();
        server.startAgain();
        int afterStart = writers.acknowledged();
        Await.within(BACK, () -> "back again", () -> writers.acknowledged() > afterStart);
      }
      writers.stop();
      writers.check();
    }
  }

  @Test
  void backendsTerminatedMidTurn_loseNothingAndGetNothingTwice()
      throws InterruptedException, SQLException {
    int kills = SOAK ? 200 : 20;
    try (SessionStore store = PostgresStore.open(server.url(PostgresServer.newSchema()))) {
      Writers writers = new Writers(store, "terminate", 8);
      for (int i = 0; i < kills; i++) {
        int before = writers.acknowledged();
        Await.until(() -> "writing goes on", () -> writers.acknowledged() > before + 20);
        terminateBackends();
      }
      writers.stop();
      writers.check();
    }
  }

  private void terminateBackends() throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'clew'")) {
      assertThat(rows.next()).isTrue();
    }
  }

  @Test
  void aWatcher_hearsOfWhatIsWrittenAfterAnOutage() {
    String url = server.url(PostgresServer.newSchema());
    List<SessionEvent> heard = new CopyOnWriteArrayList<>();
    try (SessionStore store = PostgresStore.open(url);
        SessionStore other = PostgresStore.open(url)) {
      StoredSession session = store.session("watched");
      try (Watch watch = session.watch(0, heard::add)) {
        other.session("watched").addItems(List.of(Item.user("before")));
        Await.until(() -> "the first is heard of", () -> heard.size() == 1);
        server.stopImmediately();
        server.startAgain();
        other.session("watched").addItems(List.of(Item.user("after")));
        Await.until(() -> "the second is heard of", () -> heard.size() == 2);
        assertThat(watch).isNotNull();
      }
      assertThat(heard).allMatch(event -> event instanceof SessionEvent.Appended);
    }
  }

  @Test
  void aRepeatedTurnAfterALostAnswer_isDoneOnce() throws SQLException {
    try (SessionStore store = PostgresStore.open(server.url(PostgresServer.newSchema()))) {
      Commit turn = Commit.append(List.of(Item.user("once"))).operationId("turn");
      store.session("s").commit(turn);
      terminateBackends();

      assertThat(store.session("s").commit(turn).repeated()).isTrue();
      assertThat(store.session("s").getItems()).hasSize(1);
    }
  }
}
