package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.spi.RecentItems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The objects of items that are kept in memory. */
class AtHandTest {
  private static final SessionKey KEY = SessionKey.of("trip");

  @TempDir Path folder;

  private static List<Item> newest(SessionStore store) {
    return store.feature(RecentItems.class).orElseThrow().newest(KEY, 2).items();
  }

  @Test
  void anItemIsTheSameObjectUntilItOrItsNotesChange() {
    Path file = folder.resolve("chat.db");
    try (SessionStore store = SqliteStore.open(file);
        SessionStore other = SqliteStore.open(file)) {
      StoredSession session = store.session(KEY);
      session.addItems(List.of(Item.user("a"), Item.user("b")));
      List<Item> two = newest(store);
      session.addItems(List.of(Item.user("c")));
      List<Item> three = newest(store);
      assertThat(three.get(three.size() - 2)).isSameAs(two.get(two.size() - 1));
      assertThat(newest(store)).isSameAs(three);

      Entry last = session.entries(Range.latest(1)).entries().get(0);
      Draft noted = new Draft(last.item(), Map.of("noted", true));
      for (SessionStore writer : List.of(store, other)) {
        List<Item> known = newest(store);
        writer.session(KEY).commit(Commit.replaceItem(last.position(), noted));
        writer.session(KEY).addItems(List.of(Item.user("d")));
        newest(store).forEach(now -> known.forEach(before -> assertThat(now).isNotSameAs(before)));
      }
    }
  }

  @Test
  void withoutACacheNothingIsAtHand() {
    try (SessionStore cached = SqliteStore.open(folder.resolve("a.db"));
        SessionStore bare =
            SqliteStore.builder(folder.resolve("b.db").toString()).cacheBytes(0).open()) {
      assertThat(cached.feature(RecentItems.class).orElseThrow().atHand()).isPositive();
      assertThat(bare.feature(RecentItems.class).orElseThrow().atHand()).isZero();
    }
  }
}
