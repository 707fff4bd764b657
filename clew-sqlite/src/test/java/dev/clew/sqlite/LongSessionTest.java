package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session with more items than are deleted by one statement. */
class LongSessionTest {
  private static final int ITEMS = 12_345;
  private static final SessionKey LONG = SessionKey.of("long");
  private static final SessionKey OTHER = SessionKey.of("other");

  @TempDir private Path folder;
  private SessionStore store;

  @BeforeEach
  void fill() {
    store = SqliteStore.open(folder.resolve("clew.db"));
    store.session(OTHER).addItems(List.of(Item.user("before")));
    List<Item> items = IntStream.range(0, ITEMS).mapToObj(i -> Item.user("item " + i)).toList();
    for (int i = 0; i < ITEMS; i += 1000) {
      store.session(LONG).addItems(items.subList(i, Math.min(ITEMS, i + 1000)));
    }
    store.session(OTHER).addItems(List.of(Item.user("behind")));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void assertOnlyTheOtherIsThere() throws SQLException {
    assertThat(store.session(OTHER).getItems())
        .containsExactly(Item.user("before"), Item.user("behind"));
    assertThat(rows("agent_messages")).isEqualTo(2);
    assertThat(rows("clew_archive")).isZero();
  }

  private long rows(String table) throws SQLException {
    try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("clew.db"));
        ResultSet count = file.createStatement().executeQuery("SELECT count(*) FROM " + table)) {
      return count.getLong(1);
    }
  }

  @Test
  void isDeletedWhole() throws SQLException {
    assertThat(store.session(LONG).delete()).isTrue();

    assertThat(store.session(LONG).getItems()).isEmpty();
    assertOnlyTheOtherIsThere();
  }

  @Test
  void isReplacedUpToAPosition_andThenDeletedWithItsArchive() throws SQLException {
    long last = store.session(LONG).entries(Range.latest(1)).entries().get(0).position();
    store.session(LONG).commit(Commit.replacePrefix(last - 1, List.of(Item.user("summary"))));
    assertThat(store.session(LONG).getItems())
        .containsExactly(Item.user("summary"), Item.user("item " + (ITEMS - 1)));
    assertThat(store.session(LONG).info().orElseThrow().itemCount()).isEqualTo(2);

    assertThat(store.session(LONG).delete()).isTrue();
    assertOnlyTheOtherIsThere();
  }
}
