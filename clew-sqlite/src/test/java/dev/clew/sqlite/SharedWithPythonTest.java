package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import dev.clew.Watch;
import dev.clew.sqlite.PythonProgram.Sdk;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a program that uses the Agents SDK for Python writes to a file, Clew reads. */
class SharedWithPythonTest extends SharedFile {
  // ---- a file that Python made

  @ParameterizedTest
  @EnumSource
  void aFileThatPythonMadeOpensWithEveryRowAsItWas(Sdk sdk) throws SQLException {
    try (PythonProgram python = PythonProgram.start(file(), sdk)) {
      python.addItems("a", dumped("one"), dumped("\\u4f60\\u597d"), "{broken");
      python.addItems("b", dumped("two"));
      python.run("INSERT INTO agent_messages (session_id, message_data) VALUES ('c', '{}')");
      python.popItem("b");
      List<String> before = rows(python);

      open().close();

      assertThat(rows(python)).isEqualTo(before);
    }
  }

  /** What Python knows of: every column of its own, byte by byte. */
  private static List<String> rows(PythonProgram python) throws SQLException {
    List<String> rows =
        python.texts(
            "SELECT id || '|' || session_id || '|' || typeof(message_data) || '|'"
                + " || hex(message_data) || '|' || created_at FROM agent_messages ORDER BY id");
    rows.addAll(
        python.texts(
            "SELECT session_id || '|' || created_at || '|' || updated_at FROM agent_sessions"
                + " WHERE session_id <> 'c' ORDER BY session_id"));
    return rows;
  }

  @Test
  void sessionsOfAPythonFileAreKnownWithCountSizeAndTimes() throws SQLException {
    try (PythonProgram python = python()) {
      python.addItems("a", dumped("one"), dumped("two"));
      python.run("INSERT INTO agent_messages (session_id, message_data) VALUES ('bare', '{}')");
      python.run("UPDATE agent_sessions SET created_at = '2024-01-02 03:04:05'");
      python.run("UPDATE agent_sessions SET updated_at = '2025-01-02 03:04:05'");
    }
    try (SqliteStore store = open()) {
      SessionInfo info = store.session("a").info().orElseThrow();
      assertThat(info.itemCount()).isEqualTo(2);
      assertThat(info.bytes()).isEqualTo(2L * dumped("one").length());
      assertThat(info.createdAt()).isEqualTo(Instant.parse("2024-01-02T03:04:05Z"));
      assertThat(info.updatedAt()).isEqualTo(Instant.parse("2025-01-02T03:04:05Z"));
      assertThat(texts(store.session("a"))).containsExactly("one", "two");
      assertThat(store.session("bare").info().orElseThrow().itemCount()).isEqualTo(1);
      assertThat(store.session("bare").getItems()).containsExactly(Item.parse("{}"));
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(2);
    }
  }

  @Test
  void weGoOnWherePythonStopped() throws SQLException {
    try (PythonProgram python = python()) {
      python.addItems("a", dumped("one"), dumped("two"), dumped("three"));
      python.popItem("a");
    }
    try (SqliteStore store = open()) {
      StoredSession session = store.session("a");
      long version = session.info().orElseThrow().version();
      session.addItems(items("four"));
      assertThat(texts(session)).containsExactly("one", "two", "four");
      assertThat(session.info().orElseThrow().version()).isGreaterThan(version);
      assertThat(session.popItem()).contains(Item.user("four"));
      assertThat(session.popItem()).contains(Item.parse(dumped("two")));
    }
  }

  // ---- what Python writes, we see at once

  @Test
  void rowsOfPythonAppearAtOnceInTheirPlace() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("a");
      List<String> expected = new ArrayList<>();
      for (int turn = 0; turn < 20; turn++) {
        session.addItems(items("java " + turn));
        expected.add("java " + turn);
        assertThat(texts(session.getItems(5))).isEqualTo(lastOf(expected, 5)); // fills the cache
        python.addItems("a", dumped("py " + turn), dumped("py again " + turn));
        expected.addAll(List.of("py " + turn, "py again " + turn));
        assertThat(texts(session.getItems(5))).isEqualTo(lastOf(expected, 5));
        assertThat(texts(session)).isEqualTo(expected);
      }
      assertThat(session.info().orElseThrow().itemCount()).isEqualTo(60);
    }
  }

  @Test
  void anInsertWithoutASessionRowMakesTheSession() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      assertThat(store.session("bare").getItems(5)).isEmpty();
      python.run(
          "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)",
          "bare",
          dumped("hello"));

      assertThat(texts(store.session("bare").getItems(5))).containsExactly("hello");
      SessionInfo info = store.session("bare").info().orElseThrow();
      assertThat(info.itemCount()).isEqualTo(1);
      assertThat(info.bytes()).isEqualTo(dumped("hello").length());
      assertThat(info.createdAt()).isBetween(Instant.now().minusSeconds(60), Instant.now());
      store.session("bare").addItems(items("and more"));
      assertThat(texts(store.session("bare"))).containsExactly("hello", "and more");
      assertThat(store.session("bare").info().orElseThrow().itemCount()).isEqualTo(2);
    }
  }

  @Test
  void aPopOfPythonIsHonoured() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("a");
      session.addItems(items("one", "two", "three"));
      assertThat(session.getItems(2)).hasSize(2);
      long version = session.info().orElseThrow().version();

      assertThat(python.popItem("a")).contains(Item.user("three").json());

      assertThat(texts(session.getItems(2))).containsExactly("one", "two");
      SessionInfo info = session.info().orElseThrow();
      assertThat(info.itemCount()).isEqualTo(2);
      assertThat(info.bytes()).isEqualTo(Item.user("one").json().length() * 2L);
      assertThat(info.version()).isGreaterThan(version);
      assertThat(session.popItem()).contains(Item.user("two"));
      assertThat(python.popItem("a")).contains(Item.user("one").json());
      assertThat(python.popItem("a")).isEmpty();
      assertThat(session.popItem()).isEmpty();
      assertThat(session.getItems()).isEmpty();
    }
  }

  @Test
  void aClearOfPythonTakesEverythingThatBelongsToTheSession() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("a");
      session.addItems(items("one", "two"));
      long position = session.entries(Range.latest(1)).entries().get(0).position();
      session.commit(Commit.replacePrefix(position, items("summary")));
      session.commit(Commit.append(items("three")).operationId("op"));
      python.addItems("a", "{spoilt");
      session.popItem(); // puts the spoilt one aside
      long version = session.info().orElseThrow().version();
      assertThat(session.getItems(5)).hasSize(1);
      assertThat(findings(store)).hasSize(1);

      python.clearSession("a");

      assertThat(session.getItems(5)).isEmpty();
      assertThat(session.info()).isEmpty();
      assertThat(session.entries(Range.latest(10).withCompacted()).entries()).isEmpty();
      assertThat(findings(store)).isEmpty();
      assertThat(store.list(SessionQuery.of("")).sessions()).isEmpty();
      // The operation is forgotten too, so it takes effect again, and nothing is used twice.
      var receipt = session.commit(Commit.append(items("three")).operationId("op"));
      assertThat(receipt.repeated()).isFalse();
      assertThat(receipt.version()).isGreaterThan(version);
      assertThat(texts(session)).containsExactly("three");
      assertThat(session.info().orElseThrow().itemCount()).isEqualTo(1);
    }
  }

  @Test
  void aSessionThatPythonClearedAndFilledAgainIsANewOne() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("a");
      session.addItems(items("old", "older"));
      assertThat(session.getItems(5)).hasSize(2);
      long version = session.info().orElseThrow().version();

      python.clearSession("a");
      python.addItems("a", dumped("new"));

      assertThat(texts(session.getItems(5))).containsExactly("new");
      assertThat(session.info().orElseThrow().itemCount()).isEqualTo(1);
      assertThat(session.info().orElseThrow().version()).isGreaterThan(version);
    }
  }

  @Test
  void aWriteOfPythonIsAConflictForWhoeverExpectedAnotherVersion() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("a");
      session.addItems(items("one"));
      long version = session.info().orElseThrow().version();
      python.addItems("a", dumped("two"));

      Commit late = Commit.append(items("late")).expectVersion(version);
      assertThatThrownBy(() -> session.commit(late))
          .isInstanceOf(ClewException.VersionConflict.class);
      assertThat(texts(session)).containsExactly("one", "two");
    }
  }

  @Test
  void aRowOfPythonCanBeFoundEditedAndRemovedByUs() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      python.addItems(
          "a", "{\"id\": \"m1\", \"role\": \"user\", \"content\": \"one\"}", dumped("2"));
      StoredSession session = store.session("a");

      assertThat(session.find("m1").map(Entry::item).orElseThrow().json()).contains("one");
      assertThat(session.replaceItem("m1", Item.user("edited"))).isTrue();
      assertThat(texts(session.getItems(5))).containsExactly("edited", "2");
      session.commit(
          Commit.removeItem(session.entries(Range.first(1)).entries().get(0).position()));
      assertThat(python.getItems("a")).containsExactly(dumped("2"));
    }
  }

  @Test
  void aForkOfAPythonSessionHoldsItsItems() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      python.addItems("a", dumped("one"), dumped("two"));
      StoredSession fork = store.session("a").fork("b", Long.MAX_VALUE);

      assertThat(texts(fork)).containsExactly("one", "two");
      assertThat(fork.info().orElseThrow().itemCount()).isEqualTo(2);
      assertThat(python.getItems("b")).containsExactly(dumped("one"), dumped("two"));
      python.addItems("b", dumped("three"));
      assertThat(texts(fork)).containsExactly("one", "two", "three");
      assertThat(texts(store.session("a"))).containsExactly("one", "two");
    }
  }

  @Test
  void anEditByAnotherProgramIsReadAndNotTakenForDamage() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("a");
      session.addItems(items("one", "two"));
      assertThat(session.getItems(5)).hasSize(2);

      python.run(
          "UPDATE agent_messages SET message_data = ? WHERE message_data = ?",
          dumped("edited"),
          Item.user("two").json());

      assertThat(texts(session.getItems(5))).containsExactly("one", "edited");
      assertThat(findings(store)).isEmpty();
    }
  }

  // ---- watch, search, names

  @Test
  void aWatcherIsToldWhatPythonDoes() throws Exception {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      BlockingQueue<SessionEvent> events = new LinkedBlockingQueue<>();
      try (Watch watch = store.session("s").watch(0, events::add)) {
        python.addItems("s", dumped("one"), dumped("two"));
        Wait.until("the append is told", () -> !events.isEmpty());
        SessionEvent.Appended appended = (SessionEvent.Appended) events.take();
        assertThat(texts(appended.entries().stream().map(Entry::item).toList()))
            .containsExactly("one", "two");

        python.popItem("s");
        Wait.until("the pop is told", () -> !events.isEmpty());
        SessionEvent.Removed removed = (SessionEvent.Removed) events.take();
        assertThat(removed.positions()).containsExactly(appended.entries().get(1).position());

        python.clearSession("s");
        Wait.until("the clear is told", () -> !events.isEmpty());
        assertThat(events.take()).isInstanceOf(SessionEvent.Cleared.class);

        python.addItems("s", dumped("three"));
        Wait.until("the new beginning is told", () -> !events.isEmpty());
        assertThat(events.take()).isInstanceOf(SessionEvent.Appended.class);
        assertThat(watch).isNotNull();
      }
    }
  }

  @Test
  void searchFindsRowsOfPythonAsLongAsTheyAreThere() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      python.addItems("s", dumped("\\u4f60\\u597d"), dumped("a needle"), dumped("hay"));
      assertThat(hits(store, "needle")).hasSize(1);
      assertThat(hits(store, "你")).hasSize(1);
      assertThat(hits(store, "hay")).hasSize(1);
      assertThat(hits(store, "role")).isEmpty();

      python.popItem("s");
      assertThat(hits(store, "hay")).isEmpty();
      python.clearSession("s");
      assertThat(hits(store, "needle")).isEmpty();
      python.addItems("s", dumped("another needle"));
      assertThat(hits(store, "needle")).hasSize(1);
    }
  }

  @Test
  void tablesOfOtherNamesAreSharedJustAsWell() throws SQLException {
    try (SqliteStore store =
            SqliteStore.builder(file().toString())
                .sessionsTable("my_sessions")
                .messagesTable("my_messages")
                .open();
        PythonProgram python = PythonProgram.start(file(), Sdk.NEW, "my_sessions", "my_messages")) {
      StoredSession session = store.session("s");
      session.addItems(items("one"));
      python.addItems("s", dumped("two"), dumped("three"));
      assertThat(python.popItem("s")).contains(dumped("three"));

      assertThat(texts(session.getItems(5))).containsExactly("one", "two");
      assertThat(session.info().orElseThrow().itemCount()).isEqualTo(2);
      assertThat(hits(store, "two")).hasSize(1);
      python.clearSession("s");
      assertThat(session.info()).isEmpty();
    }
  }

  @Test
  void sessionsOfOtherOwnersAreOtherSessionsToPython() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      store.session("s").addItems(items("mine"));
      store.session(new SessionKey("ann", "s")).addItems(items("hers"));
      assertThat(python.getItems("s")).containsExactly(Item.user("mine").json());
      python.clearSession("s");
      assertThat(texts(store.session(new SessionKey("ann", "s")))).containsExactly("hers");
    }
  }
}
