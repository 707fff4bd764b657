package dev.clew.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is particular to the in-memory store; the rest is in the contract. */
class MemoryStoreTest {
  private final MemoryStore store = new MemoryStore();
  private final StoredSession session = store.session("s");

  private static List<Item> messages(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> Item.user("m" + i)).toList();
  }

  private List<Long> positions(Range range) {
    return session.entries(range).entries().stream().map(Entry::position).toList();
  }

  @Test
  void positionsComeFromOneCounterOfTheStoreThatStartsAt1() {
    session.addItems(messages(1, 2));
    store.session("other").addItems(messages(1, 1));
    session.addItems(messages(3, 3));

    assertThat(positions(Range.first(10))).containsExactly(1L, 2L, 4L);
  }

  @Test
  void positionsAndVersionsGoOnGrowingAfterAClear() {
    session.addItems(messages(1, 3));
    long version = session.info().orElseThrow().version();
    session.clearSession();
    session.addItems(messages(4, 4));

    assertThat(positions(Range.first(10))).containsExactly(version + 2); // after the clear's
    assertThat(session.info().orElseThrow().version()).isEqualTo(version + 2);
  }

  @Test
  void replacedPrefixesAreShownInTheOrderTheyWereReplacedIn() {
    session.addItems(messages(1, 4));
    session.commit(Commit.replacePrefix(2, messages(100, 100)));
    Receipt second = session.commit(Commit.replacePrefix(3, messages(200, 201)));

    assertThat(second.firstPosition()).hasValue(-3);
    assertThat(second.lastPosition()).hasValue(-2);
    assertThat(positions(Range.first(10))).containsExactly(-3L, -2L, 4L);
    assertThat(positions(Range.first(10).withCompacted()))
        .containsExactly(1L, 2L, -1L, 3L, -3L, -2L, 4L);
    assertThat(positions(Range.latest(10).withCompacted()))
        .containsExactly(1L, 2L, -1L, 3L, -3L, -2L, 4L);
  }

  @Test
  void everyCursorPagesThroughTheArchiveInBothDirections() {
    session.addItems(messages(1, 4));
    session.commit(Commit.replacePrefix(2, messages(100, 100)));
    session.commit(Commit.replacePrefix(3, messages(200, 201)));
    List<Long> order = positions(Range.first(10).withCompacted());

    for (int i = 0; i < order.size(); i++) {
      assertThat(positions(Range.after(order.get(i), 10).withCompacted()))
          .isEqualTo(order.subList(i + 1, order.size()));
      assertThat(positions(Range.before(order.get(i), 10).withCompacted()))
          .isEqualTo(order.subList(0, i));
    }
  }

  @Test
  void aSearchFindsMessagesAndToolsButNotReasoning() {
    session.addItems(
        List.of(
            Item.user("where is the bridge"),
            Item.functionCall("c1", "find_bridge", "{}"),
            Item.functionCallOutput("c1", "a bridge in San Francisco"),
            Item.parse(
                "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"bridge\"}]}")));

    assertThat(store.search(SearchQuery.of("", "bridge")).hits())
        .extracting(hit -> hit.position())
        .containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(store.search("bridge")).isEqualTo(store.search(SearchQuery.of("", "bridge")));
  }

  @Test
  void aClosedStoreSaysWhichStoreItIs() {
    store.close();
    store.close();

    assertThatThrownBy(() -> session.getItems())
        .isInstanceOf(ClewException.Closed.class)
        .hasMessageContaining("memory:");
  }

  @Test
  void theUrlTakesALimitAndATimeToLiveAndNothingElse() {
    try (SessionStore opened = Stores.open("memory:?limit=2&ttl=30d")) {
      StoredSession limited = opened.session("s");
      limited.addItems(messages(1, 3));
      assertThat(limited.getItems()).isEqualTo(messages(2, 3));
      assertThat(limited.info().orElseThrow().timeToLive())
          .hasValueSatisfying(life -> assertThat(life.toDays()).isEqualTo(30));
    }
    assertThatThrownBy(() -> Stores.open("memory:?tll=30d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'tll'")
        .hasMessageContaining("limit, ttl");
    assertThatThrownBy(() -> Stores.open("memory:name"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no path");
  }
}
