package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.tck.TestClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An append that believes to know its session notices what others did to it meanwhile. */
class HeadsTest extends SharedFile {
  private static final Instant START = Instant.parse("2030-06-01T12:00:00Z");

  private static void add(StoredSession session, String... texts) {
    session.addItems(items(texts));
  }

  private static SessionInfo info(StoredSession session) {
    return session.info().orElseThrow();
  }

  @Test
  void twoStoresThatAppendInTurnsCountEveryItem() {
    try (SqliteStore one = open();
        SqliteStore other = open()) {
      for (int i = 0; i < 20; i++) {
        add(one.session("a"), "one " + i);
        add(other.session("a"), "other " + i, "again " + i);
      }
      SessionInfo info = info(one.session("a"));
      assertThat(info.itemCount()).isEqualTo(60);
      assertThat(info.bytes())
          .isEqualTo(one.session("a").getItems().stream().mapToLong(i -> i.json().length()).sum());
      assertThat(one.session("a").getItems()).isEqualTo(other.session("a").getItems());
    }
  }

  @Test
  void whatPythonAddedRemovedAndClearedIsCounted() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("a");
      add(session, "one", "two");
      python.addItems("a", dumped("three"));
      add(session, "four");
      assertThat(info(session).itemCount()).isEqualTo(4);
      python.popItem("a");
      add(session, "five");
      assertThat(texts(session)).containsExactly("one", "two", "three", "five");
      assertThat(info(session).itemCount()).isEqualTo(4);
      python.run("DELETE FROM agent_messages WHERE session_id = 'a'");
      python.run("DELETE FROM agent_sessions WHERE session_id = 'a'");
      add(session, "six");
      assertThat(texts(session)).containsExactly("six");
      assertThat(info(session).itemCount()).isEqualTo(1);
    }
  }

  @Test
  void aSessionThatAnotherStoreGaveAnEndIsNotContinuedAfterIt() {
    TestClock clock = new TestClock(START);
    try (SqliteStore store = SqliteStore.builder(file().toString()).clock(clock).open();
        SqliteStore other = SqliteStore.builder(file().toString()).clock(clock).open()) {
      add(store.session("a"), "old");
      other.session("a").update(SessionUpdate.none().timeToLive(Duration.ofMinutes(1)));
      clock.advance(Duration.ofMinutes(2));
      add(store.session("a"), "new");
      assertThat(texts(store.session("a"))).containsExactly("new");
      assertThat(info(store.session("a")).createdAt()).isEqualTo(START.plusSeconds(120));
    }
  }

  @Test
  void timeDoesNotGoBackWhenAnotherStoreWasAhead() {
    TestClock clock = new TestClock(START);
    TestClock ahead = new TestClock(START.plusSeconds(3600));
    try (SqliteStore store = SqliteStore.builder(file().toString()).clock(clock).open();
        SqliteStore other = SqliteStore.builder(file().toString()).clock(ahead).open()) {
      add(store.session("a"), "one");
      add(other.session("a"), "two");
      add(store.session("a"), "three");
      assertThat(info(store.session("a")).updatedAt()).isEqualTo(START.plusSeconds(3600));
    }
  }
}
