package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.StoredSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Clew and a program that uses the Agents SDK for Python on one file at the same time. */
class BesidePythonTest extends SharedFile {

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
