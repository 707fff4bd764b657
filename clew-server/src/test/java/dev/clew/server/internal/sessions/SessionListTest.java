package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.tck.FaultyStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a page of the list costs, whatever is on it. */
class SessionListTest {
  private static final int SESSIONS = 60;

  /** A list of 100 is read in pages of 25, and a session at both of its ends. */
  private static final int MOST_READS = 4 + 2 * SessionSummaries.MOST_READ;

  private static final Set<String> WRITES =
      Set.of("commit", "commitAsync", "apply", "update", "delete", "fork", "removeLast");

  private final MemoryStore store = MemoryStore.builder().build();
  private final FaultyStore counted = new FaultyStore(store);
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();
  private final Map<String, Integer> callsBehind = new ConcurrentHashMap<>();
  private final LiveServer live = new LiveServer(counted);
  private final Caller ann = new Caller(live, "ann");

  @AfterEach
  void close() {
    live.close();
    store.close();
  }

  private static SessionKey key(int i) {
    return new SessionKey("ann", "s" + i);
  }

  /** Half of them have a title; all are longer than what is read at one end. */
  private void fill() {
    for (int i = 0; i < SESSIONS; i++) {
      store.session(key(i)).addItems(List.of(Item.user("Question " + i)));
      for (int k = 0; k < 10; k++) {
        store.session(key(i)).addItems(List.of(Item.assistant("answer " + k + " of " + i)));
      }
      if (i % 2 == 0) {
        store.session(key(i)).update(SessionUpdate.none().title("Title " + i));
      }
    }
    ann.get("/api/sessions?limit=1").is(200); // the token is known from now on
    counted.failBefore(
        call -> {
          boolean behind = Thread.currentThread().getName().equals("clew-summaries");
          if (call.key().isPresent() || call.name().equals("list")) {
            (behind ? callsBehind : calls).merge(call.name(), 1, Integer::sum);
          }
          return false;
        });
  }

  private List<Map<String, Object>> list() {
    return ann.get("/api/sessions?limit=100").is(200).data();
  }

  private static boolean isWhole(List<Map<String, Object>> rows) {
    return rows.stream()
        .allMatch(
            row -> {
              String number = String.valueOf(row.get("session_id")).substring(1);
              boolean titled = Integer.parseInt(number) % 2 == 0;
              return row.get("title").equals((titled ? "Title " : "Question ") + number)
                  && row.get("preview").equals("answer 9 of " + number);
            });
  }

  @Test
  void aPageIsABoundedNumberOfReads_andWritesNothing() {
    fill();
    assertThat(list()).hasSize(SESSIONS);
    assertThat(calls.values().stream().mapToInt(Integer::intValue).sum())
        .as("%s", calls)
        .isLessThanOrEqualTo(MOST_READS);
    Eventually.ask("all rows", this::list, SessionListTest::isWhole);
    assertThat(calls.keySet()).doesNotContainAnyElementsOf(WRITES);
    assertThat(callsBehind.keySet()).isNotEmpty().doesNotContainAnyElementsOf(WRITES);
  }

  @Test
  void whatIsKnownIsNotReadAgain_andWhatHasChangedIs() {
    fill();
    Eventually.ask("all rows", this::list, SessionListTest::isWhole);
    calls.clear();
    assertThat(isWhole(list())).isTrue();
    assertThat(calls).containsOnlyKeys("list");

    store.session(key(7)).addItems(List.of(Item.user("Something else")));
    assertThat(list())
        .filteredOn(row -> row.get("session_id").equals("s7"))
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .containsEntry("title", "Question 7")
                    .containsEntry("preview", "Something else"));
  }

  @Test
  void aSessionThatWasDeletedAndBegunAgain_showsNothingOfTheOneBefore() {
    store.session(key(1)).addItems(List.of(Item.user("Old")));
    assertThat(list().get(0)).containsEntry("preview", "Old");
    store.session(key(1)).delete();
    store.session(key(1)).addItems(List.of(Item.user("New")));
    assertThat(list().get(0)).containsEntry("preview", "New").containsEntry("title", "New");
  }
}
