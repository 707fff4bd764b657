package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.sqlite.PythonProgram.Sdk;
import dev.clew.tck.TestClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Clew writes to a file, a program that uses the Agents SDK for Python reads. */
class ReadByPythonTest extends SharedFile {

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

      session.commit(Commit.replacePrefix(upTo, items("sum 1", "sum 2")));
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
      session.commit(Commit.replacePrefix(again, items("sum 3")));
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

  /** What is brought from elsewhere is older than what other sessions of the file have. */
  @ParameterizedTest
  @EnumSource
  void timesOfThen_orderTheSessionForPythonAsTheyDoForUs(Sdk sdk) throws SQLException {
    try (SqliteStore store = SqliteStore.open(file());
        PythonProgram python = PythonProgram.start(file(), sdk)) {
      store.session("other").addItems(items("java now"));
      StoredSession session = store.session("s");
      session.commit(at("java one", 2020));
      session.commit(at("java two", 2021));
      long both = session.entries(Range.latest(1)).entries().get(0).position();
      Draft sum = Draft.of(Item.user("java sum")).at(Instant.parse("2022-01-01T00:00:00Z"));
      session.commit(Commit.replacePrefixDrafts(both, List.of(sum)));
      session.commit(at("java three", 2021)); // not before what it follows
      session.commit(at("java four", 2023));
      assertThat(python.texts("SELECT substr(created_at, 1, 4) FROM agent_messages ORDER BY id"))
          .containsExactly("2022", String.valueOf(Year.now(ZoneOffset.UTC)), "2022", "2023");
      python.addItems("s", dumped("py"));
      session.commit(at("java five", 2024));

      String byId = "SELECT created_at FROM agent_messages WHERE session_id = 's' ORDER BY id";
      assertThat(python.texts(byId)).isSorted();
      assertThat(texts(session))
          .containsExactly("java sum", "java three", "java four", "py", "java five");
      assertThat(python.getItems("s")).isEqualTo(jsons(session));
    }
  }

  private static Commit at(String text, int year) {
    Instant time = Instant.parse(year + "-01-01T00:00:00Z");
    return Commit.appendDrafts(List.of(Draft.of(Item.user(text)).at(time)));
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
}
