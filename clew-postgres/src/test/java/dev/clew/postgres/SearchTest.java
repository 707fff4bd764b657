package dev.clew.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.kit.text.SearchPhrases;
import dev.clew.tck.Await;
import dev.clew.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the index of this store has to cope with, beyond the contract. */
class SearchTest {
  private final PostgresServer server = PostgresServer.shared();

  @Test
  void anItemReplacedBeforeItWasIndexed_isFoundByItsNewWordsOnly() {
    try (SessionStore store = PostgresStore.open(server.url(PostgresServer.newSchema()))) {
      StoredSession session = store.session("s");
      long first =
          session
              .commit(Commit.append(List.of(Item.user("old one"), Item.user("old two"))))
              .firstPosition()
              .orElseThrow();
      session.commit(Commit.replaceItem(first + 1, Draft.of(Item.user("a new second one"))));

      assertThat(positions(store, "old")).containsExactly(first);
      assertThat(positions(store, "second")).containsExactly(first + 1);
    }
  }

  @Test
  void anItemLargerThanAnIndexEntryMayBe_isStoredAndFoundByItsBeginning() {
    StringBuilder text = new StringBuilder("needle in front");
    for (int i = 0; text.length() < 4 << 20; i++) {
      text.append(" word").append(i);
    }
    try (SessionStore store = PostgresStore.open(server.url(PostgresServer.newSchema()))) {
      StoredSession session = store.session("s");
      Item huge = Item.user(text.toString());
      session.addItems(List.of(huge, Item.user("x".repeat(5000)), Item.user("small needle")));

      assertThat(positions(store, "needle")).hasSize(2);
      assertThat(positions(store, "\"needle in front\"")).hasSize(1);
      assertThat(positions(store, "x".repeat(1000))).hasSize(1);
      assertThat(session.getItems().get(0)).isEqualTo(huge);
    }
  }

  @Test
  void moreItemsThanABatch_areAllFound() {
    try (SessionStore store = PostgresStore.open(server.url(PostgresServer.newSchema()))) {
      List<Item> many =
          java.util.stream.IntStream.range(0, 250).mapToObj(i -> Item.user("many " + i)).toList();
      store.session("a").addItems(many);
      store.session("b").addItems(many);

      SearchResult found = store.search(SearchQuery.of("", "many").limit(1000));
      assertThat(found.hits()).hasSize(500);
      assertThat(found.partial()).isFalse();
    }
  }

  /** Or {@code partial} would tell an owner how much others write. */
  @Test
  void whatOthersWroteAndIsNotIndexedYet_keepsNobodyFromFindingHerOwn() throws SQLException {
    String schema = PostgresServer.newSchema();
    try (SessionStore store = PostgresStore.open(server.url(schema));
        Connection other = server.connect();
        Statement statement = other.createStatement()) {
      store.session(new SessionKey("bob", "s")).addItems(List.of(Item.user("bob's needle")));
      other.setAutoCommit(false);
      int held = 0;
      while (held == 0) { // as by a process that indexes it, unless ours was faster
        statement.execute(
            "INSERT INTO "
                + schema
                + ".unindexed SELECT session, 1, 1 FROM "
                + schema
                + ".sessions ON CONFLICT DO NOTHING");
        other.commit();
        try (ResultSet rows =
            statement.executeQuery("SELECT 1 FROM " + schema + ".unindexed FOR UPDATE")) {
          held = rows.next() ? 1 : 0;
        }
      }
      store.session(new SessionKey("ann", "s")).addItems(List.of(Item.user("ann's needle")));

      SearchResult found = store.search(SearchQuery.of("ann", "needle"));
      assertThat(found.partial()).isFalse();
      assertThat(found.hits()).hasSize(1);
      other.rollback();
    }
  }

  /** Which of many matches are ranked must not tell what other processes are doing. */
  @Tag("hostile")
  @Test
  void moreMatchesThanAreRanked_areTheSameWhileAnotherProcessIndexesSomeOfThem()
      throws SQLException {
    String schema = PostgresServer.newSchema();
    try (SessionStore store = PostgresStore.open(server.url(schema));
        Connection other = server.connect();
        Statement statement = other.createStatement()) {
      store.session(new SessionKey("ann", "old")).addItems(copies(60, "g g g g g g"));
      StoredSession recent = store.session(new SessionKey("ann", "recent"));
      recent.addItems(copies(990, "g and more"));
      recent.addItems(copies(60, "g newest"));
      SearchQuery query = SearchQuery.of("ann", "g").limit(100);
      List<SearchResult.Hit> alone = complete(store, query).hits();

      other.setAutoCommit(false);
      boolean held = false;
      while (!held) { // as by a process that indexes the newest, unless ours was faster
        statement.execute(
            """
            INSERT INTO %1$s.unindexed
              SELECT session, max(position) - 59, max(position)
              FROM %1$s.items GROUP BY session HAVING count(*) > 60
            ON CONFLICT DO NOTHING;
            DELETE FROM %1$s.search i USING %1$s.unindexed u
              WHERE i.session = u.session AND i.position BETWEEN u.first AND u.last
            """
                .formatted(schema));
        other.commit();
        try (ResultSet rows =
            statement.executeQuery("SELECT 1 FROM " + schema + ".unindexed FOR UPDATE")) {
          held = rows.next();
        }
      }
      assertThat(complete(store, query).hits()).isEqualTo(alone);
      other.rollback();
    }
  }

  private static List<Item> copies(int count, String text) {
    return Collections.nCopies(count, Item.user(text));
  }

  /** Searches again while a result is partial: a slow machine may not rank 4 MiB in one budget. */
  private static SearchResult complete(SessionStore store, SearchQuery query) {
    AtomicReference<SearchResult> found = new AtomicReference<>();
    Await.until(
        () -> "all items are searched",
        () -> {
          found.set(store.search(query));
          return !found.get().partial();
        });
    return found.get();
  }

  private static List<Long> positions(SessionStore store, String words) {
    return complete(store, SearchQuery.of("", words)).hits().stream()
        .map(SearchResult.Hit::position)
        .toList();
  }

  @Test
  void aQuery_isMadeOfPairsOfNeighboursAndTheOwner() {
    assertThat(Terms.query("ann", SearchPhrases.parse("\"golden gate bridge\" sou")))
        .startsWith("'@")
        .endsWith("' & 'golden gate' & 'gate bridge' & 'sou':*");
    assertThat(Terms.vector("ann", "Golden Gate"))
        .contains("'golden' ", "'gate' ", "'golden gate' ");
    assertThat(Terms.vector("ann", "")).isEmpty();
  }

  @Test
  void anyName_comesBackFromTheDatabase() {
    for (String name :
        List.of("turn", "a\\b", "nul \0 inside", "\ud800 alone", "both \udc00\ud800", "😀")) {
      assertThat(PgText.canHold(PgText.write(name))).isTrue();
      assertThat(PgText.read(PgText.write(name))).isEqualTo(name);
    }
    assertThat(PgText.write("plain 😀")).isEqualTo("plain 😀");
  }
}
