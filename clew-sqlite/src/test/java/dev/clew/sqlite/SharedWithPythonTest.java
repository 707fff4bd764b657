package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.HistoryTransaction;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Watch;
import dev.clew.sqlite.PythonProgram.Sdk;
import dev.clew.tck.TestClock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One file, written by Clew and by a program that uses the Agents SDK for Python. */
class SharedWithPythonTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("shared.db");
  }

  private SqliteStore open() {
    return SqliteStore.open(file());
  }

  private PythonProgram python() throws SQLException {
    return PythonProgram.start(file());
  }

  /** As Python's {@code json.dumps} writes a message. */
  private static String dumped(String text) {
    return "{\"role\": \"user\", \"content\": \"" + text + "\"}";
  }

  private static List<String> texts(StoredSession session) {
    return texts(session.getItems());
  }

  private static List<String> texts(List<Item> items) {
    return items.stream().map(item -> ((View.Message) item.view()).text()).toList();
  }

  private static List<Item> items(String... texts) {
    return Stream.of(texts).map(Item::user).toList();
  }

  private static List<String> jsons(List<Item> items) {
    return items.stream().map(Item::json).toList();
  }

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

  private static List<String> lastOf(List<String> all, int count) {
    return all.subList(Math.max(0, all.size() - count), all.size());
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
      session.apply(HistoryTransaction.replacePrefix(position, items("summary")));
      session.apply(HistoryTransaction.append(items("three")).operationId("op"));
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
      var receipt = session.apply(HistoryTransaction.append(items("three")).operationId("op"));
      assertThat(receipt.repeated()).isFalse();
      assertThat(receipt.version()).isGreaterThan(version);
      assertThat(texts(session)).containsExactly("three");
      assertThat(session.info().orElseThrow().itemCount()).isEqualTo(1);
    }
  }

  private static List<Finding> findings(SqliteStore store) {
    List<Finding> findings = new ArrayList<>();
    store.check(findings::add);
    return findings;
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

      HistoryTransaction late = HistoryTransaction.append(items("late")).expectVersion(version);
      assertThatThrownBy(() -> session.apply(late))
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
      session.apply(
          HistoryTransaction.removeItem(
              session.entries(Range.first(1)).entries().get(0).position()));
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

  // ---- what we write, Python reads

  @ParameterizedTest
  @EnumSource
  void pythonReadsWhatWeAppendInTheSameOrder(Sdk sdk) throws SQLException {
    List<String> expected = new ArrayList<>();
    try (SqliteStore store = open();
        PythonProgram python = PythonProgram.start(file(), sdk)) {
      for (int turn = 0; turn < 10; turn++) {
        List<Item> batch = items("a " + turn, "b " + turn, "c " + turn, "d " + turn);
        store.session("s").addItems(batch);
        store.session("other").addItems(batch);
        expected.addAll(jsons(batch));
        String theirs = dumped("py " + turn);
        python.addItems("s", theirs);
        expected.add(theirs);
      }
      assertThat(python.getItems("s")).isEqualTo(expected);
      for (int limit = 0; limit <= 51; limit++) {
        assertThat(python.getItems("s", limit)).isEqualTo(lastOf(expected, limit));
      }
      assertThat(python.popItem("s")).contains(expected.get(49));
    }
  }

  @ParameterizedTest
  @EnumSource
  void inAFileOfItsOwnPythonReadsWhatWeAppendInTheSameOrder(Sdk sdk) throws SQLException {
    try (PythonProgram python = PythonProgram.start(file(), sdk)) {
      python.addItems("s", dumped("first"));
      try (SqliteStore store = open()) {
        store.session("s").addItems(items("a", "b", "c"));
      }
      List<String> expected = new ArrayList<>(List.of(dumped("first")));
      expected.addAll(jsons(items("a", "b", "c")));
      assertThat(python.getItems("s")).isEqualTo(expected);
      assertThat(python.getItems("s", 2)).isEqualTo(lastOf(expected, 2));
    }
  }

  @Test
  void itsTimeOfUpdateMovesWithOurs() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      store.session("s").addItems(items("a"));
      python.run("UPDATE agent_sessions SET updated_at = '2020-01-01 00:00:00'");
      store.session("s").addItems(items("b"));
      assertThat(python.texts("SELECT updated_at > '2020-01-02' FROM agent_sessions"))
          .containsExactly("1");
      assertThat(
              python.texts(
                  "SELECT DISTINCT length(created_at) FROM agent_messages"
                      + " UNION SELECT length(created_at) FROM agent_sessions"
                      + " UNION SELECT length(updated_at) FROM agent_sessions"))
          .containsExactly("19");
    }
  }

  @Test
  void escapedTextIsReadAndOursIsPlainUtf8() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      python.addItems("s", dumped("\\u4f60\\u597d \\ud83d\\ude00"));
      store.session("s").addItems(items("你好 😀"));

      assertThat(texts(store.session("s"))).containsExactly("你好 😀", "你好 😀");
      assertThat(store.session("s").getItems().get(0).json())
          .as("an escape stays an escape")
          .isEqualTo("{\"role\":\"user\",\"content\":\"\\u4f60\\u597d \\ud83d\\ude00\"}");
      assertThat(python.texts("SELECT hex(message_data) FROM agent_messages ORDER BY id DESC"))
          .first()
          .asString()
          .contains("E4BDA0E5A5BD20F09F9880");
    }
  }

  @Test
  void aNotANumberOfPythonCountsAsDamagedAndHidesNothing() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      python.addItems("s", dumped("one"), "{\"score\": NaN}", "{\"score\": Infinity}", dumped("2"));

      assertThat(texts(store.session("s").getItems(2))).containsExactly("one", "2");
      assertThat(findings(store))
          .extracting(Finding::kind)
          .containsExactly(Finding.Kind.DAMAGED, Finding.Kind.DAMAGED);
      assertThat(python.getItems("s")).hasSize(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void afterACompactionPythonSeesTheNewHistoryInOrder(Sdk sdk) throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = PythonProgram.start(file(), sdk)) {
      StoredSession session = store.session("s");
      python.addItems("s", dumped("one"), dumped("two"));
      session.addItems(items("three", "four"));
      long upTo = session.entries(Range.first(3)).entries().get(2).position();
      python.addItems("s", dumped("five"));

      session.apply(HistoryTransaction.replacePrefix(upTo, items("sum 1", "sum 2")));
      python.addItems("s", dumped("six"));

      List<String> expected =
          List.of(
              Item.user("sum 1").json(),
              Item.user("sum 2").json(),
              Item.user("four").json(),
              dumped("five"),
              dumped("six"));
      assertThat(python.getItems("s")).isEqualTo(expected);
      assertThat(python.getItems("s", 4)).isEqualTo(lastOf(expected, 4));
      assertThat(texts(session)).containsExactly("sum 1", "sum 2", "four", "five", "six");
      assertThat(session.info().orElseThrow().itemCount()).isEqualTo(5);

      long again = session.entries(Range.first(4)).entries().get(3).position();
      session.apply(HistoryTransaction.replacePrefix(again, items("sum 3")));
      assertThat(python.getItems("s")).containsExactly(Item.user("sum 3").json(), dumped("six"));
      assertThat(session.entries(Range.first(20).withCompacted()).entries()).hasSize(9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void timesNeverDecreaseWithTheIdWhateverOurClockDoes(Sdk sdk) throws SQLException {
    TestClock clock = new TestClock(Instant.now());
    try (SqliteStore store = SqliteStore.builder(file().toString()).clock(clock).open();
        PythonProgram python = PythonProgram.start(file(), sdk)) {
      StoredSession session = store.session("s");
      List<String> expected = new ArrayList<>();
      for (int hours : new int[] {0, -1, -24, 0, 24, 0, -1, 48, 0}) {
        clock.set(Instant.now().plus(Duration.ofHours(hours)));
        session.addItems(items("java " + hours, "java again " + hours));
        python.addItems("s", dumped("py " + hours));
        expected.addAll(List.of("java " + hours, "java again " + hours, "py " + hours));
      }
      assertThat(texts(session)).isEqualTo(expected);
      List<String> byId = python.texts("SELECT created_at FROM agent_messages ORDER BY id");
      assertThat(byId).isSorted();
      assertThat(python.getItems("s")).isEqualTo(jsons(session));
      assertThat(python.getItems("s", 7)).isEqualTo(lastOf(jsons(session), 7));
    }
  }

  /** As the rows have them, with Python's spaces. */
  private static List<String> jsons(StoredSession session) {
    return session.getItems().stream()
        .map(
            item ->
                item.json().contains("java")
                    ? item.json()
                    : dumped(((View.Message) item.view()).text()))
        .toList();
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

  private static List<Hit> hits(SqliteStore store, String query) {
    return store.search(SearchQuery.of("", query)).hits();
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

  // ---- both at the same time

  @Test
  void nothingIsLostWhenBothWriteAtTheSameTime() throws SQLException {
    int turns = Soak.times(60, 2_000);
    try (SqliteStore store = open()) {
      Wait.together(
          6,
          writer -> {
            if (writer % 2 == 0) {
              for (int turn = 0; turn < turns; turn++) {
                store.session("s").addItems(items(name(writer, turn, 0), name(writer, turn, 1)));
              }
            } else {
              try (PythonProgram python = python()) {
                for (int turn = 0; turn < turns; turn++) {
                  python.addItems(
                      "s", dumped(name(writer, turn, 0)), dumped(name(writer, turn, 1)));
                }
              }
            }
            return "done";
          });
      List<String> all = texts(store.session("s"));
      assertThat(all).hasSize(12 * turns).doesNotHaveDuplicates();
      for (int writer = 0; writer < 6; writer++) {
        String prefix = writer + "-";
        assertThat(all.stream().filter(text -> text.startsWith(prefix)).toList())
            .isEqualTo(inOrder(writer, turns));
      }
      assertBatchesAreWhole(all);
      assertThat(texts(store.session("s").getItems(100))).isEqualTo(lastOf(all, 100));
      assertThat(store.session("s").info().orElseThrow().itemCount()).isEqualTo(12L * turns);
      try (PythonProgram python = python()) {
        assertThat(python.getItems("s")).hasSize(12 * turns);
        assertThat(python.texts("SELECT created_at FROM agent_messages ORDER BY id")).isSorted();
      }
      assertThat(findings(store)).isEmpty();
    }
  }

  private static String name(int writer, int turn, int part) {
    return writer + "-" + turn + "-" + part;
  }

  private static List<String> inOrder(int writer, int turns) {
    return IntStream.range(0, turns)
        .boxed()
        .flatMap(turn -> Stream.of(name(writer, turn, 0), name(writer, turn, 1)))
        .toList();
  }

  private static void assertBatchesAreWhole(List<String> all) {
    for (int i = 0; i < all.size(); i += 2) {
      assertThat(all.get(i + 1)).isEqualTo(all.get(i).replaceFirst("0$", "1"));
    }
  }

  @Test
  void whoWaitsForALockThatIsHeldTooLongIsToldSoAndMayTryAgain() throws SQLException {
    try (SqliteStore store =
            SqliteStore.builder(file().toString()).busyTimeout(Duration.ofMillis(100)).open();
        PythonProgram python = python()) {
      StoredSession session = store.session("s");
      session.addItems(items("one"));
      python.run("BEGIN IMMEDIATE");

      assertThatThrownBy(() -> session.addItems(items("two")))
          .isInstanceOfSatisfying(
              ClewException.StoreUnavailable.class, e -> assertThat(e.retryable()).isTrue())
          .hasMessageContainingAll(
              file().toString(), "another program has held the lock", "busy timeout");
      assertThat(texts(session.getItems(5))).as("reading does not wait").containsExactly("one");

      python.run("COMMIT");
      session.addItems(items("two"));
      assertThat(texts(session)).containsExactly("one", "two");
    }
  }

  @Test
  void aReaderThatStaysInItsTransactionDoesNotHoldUpOurAppends() throws SQLException {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      StoredSession session = store.session("s");
      session.addItems(items("first"));
      python.run("BEGIN");
      assertThat(python.getItems("s")).hasSize(1);
      String large = "x".repeat(40_000);

      long longest = 0;
      for (int i = 0; i < 500; i++) { // far beyond the length at which the log is cut short
        long start = System.nanoTime();
        session.addItems(items(large + i));
        longest = Math.max(longest, System.nanoTime() - start);
      }
      Soak.figure("longest append beside a reader that stays, ms", longest / 1_000_000);
      assertThat(Duration.ofNanos(longest))
          .as("it did not wait for the reader as long as for a lock")
          .isLessThan(Duration.ofSeconds(10));
      assertThat(python.getItems("s")).as("it still sees its moment").hasSize(1);
      python.run("COMMIT");
      assertThat(python.getItems("s")).hasSize(501);
    }
  }

  @Test
  void popsOfBothAtTheSameTimeNeverGetTheSameItem() throws SQLException {
    int count = Soak.times(300, 5_000);
    try (SqliteStore store = open()) {
      store
          .session("s")
          .addItems(IntStream.range(0, count).mapToObj(i -> Item.user("item " + i)).toList());
      List<List<String>> popped =
          Wait.together(
              4,
              popper -> {
                List<String> mine = new ArrayList<>();
                try (PythonProgram python = python()) {
                  Optional<String> next;
                  do {
                    next =
                        popper % 2 == 0
                            ? store.session("s").popItem().map(Item::json)
                            : python.popItem("s");
                    next.ifPresent(mine::add);
                  } while (next.isPresent());
                }
                return mine;
              });
      assertThat(popped.stream().flatMap(List::stream)).hasSize(count).doesNotHaveDuplicates();
      assertThat(store.session("s").getItems(5)).isEmpty();
      assertThat(store.session("s").info().orElseThrow().itemCount()).isZero();
      assertThat(store.session("s").info().orElseThrow().bytes()).isZero();
    }
  }
}
