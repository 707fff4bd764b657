package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.StoredSession;
import dev.clew.kit.text.SearchPhrases;
import dev.clew.spi.Compression;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search index when it is behind, broken, or worked on by several at once. */
class SearchIndexTest {
  @TempDir Path folder;
  private SqliteStore store;

  @BeforeEach
  void open() {
    store = SqliteStore.open(file());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Path file() {
    return folder.resolve("search.db");
  }

  private List<Hit> hits(String owner, String query) {
    SearchResult result = store.search(SearchQuery.of(owner, query).limit(1000));
    assertThat(result.partial()).isFalse();
    return result.hits();
  }

  private List<String> snippets(String query) {
    return hits("", query).stream().map(Hit::snippet).toList();
  }

  private StoredSession session() {
    return store.session("s");
  }

  @Test
  void aFirstSearchOfALargeFileSaysThatItsResultIsPartial() throws SQLException {
    store.close();
    try (PythonProgram python = PythonProgram.start(file())) {
      String filler = "word ".repeat(2_000);
      python.run("BEGIN");
      for (int i = 0; i < 4_000; i++) {
        python.run(
            "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)",
            "s",
            "{\"role\": \"user\", \"content\": \"" + filler + " needle\"}");
      }
      python.run("COMMIT");
    }
    open();
    SearchResult first = store.search(SearchQuery.of("", "needle"));
    assertThat(first.partial()).isTrue();
    Wait.until(
        "what is indexed is found",
        () -> !store.search(SearchQuery.of("", "needle")).hits().isEmpty());
  }

  /** Or the time at which one finds her own words would tell how much others write. */
  @Test
  void whatOthersWroteAndIsNotIndexedYet_keepsNobodyFromFindingHerOwn() throws SQLException {
    store.close();
    try (PythonProgram python = PythonProgram.start(file())) {
      String filler = "word ".repeat(2_000);
      python.run("BEGIN");
      for (int i = 0; i < 4_000; i++) {
        python.run(
            "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)",
            "clew:bob:s",
            "{\"role\": \"user\", \"content\": \"" + filler + " needle\"}");
      }
      python.run("COMMIT");
    }
    open();
    StoredSession ann = store.session(new SessionKey("ann", "s"));
    ann.addItems(List.of(Item.user("a needle"), Item.user("straw"), Item.user("no needle")));
    SearchResult found = store.search(SearchQuery.of("ann", "needle"));
    assertThat(found.partial()).isFalse();
    assertThat(found.hits()).extracting(Hit::snippet).containsExactly("no needle", "a needle");
    ann.commit(
        Commit.replaceItem(
            ann.entries(Range.first(3)).entries().get(1).position(),
            Draft.of(Item.user("a third needle"))));
    assertThat(store.search(SearchQuery.of("ann", "third")).hits()).hasSize(1);
    assertThat(store.search(SearchQuery.of("ann", "needle").within("s")).hits()).hasSize(3);
  }

  /** Or searches would make those who write wait for their commits. */
  @Test
  void aSearchOfAFewNewRows_findsThemAndWritesNothing() throws SQLException {
    store.close();
    try (PythonProgram python = PythonProgram.start(file())) {
      python.run(
          "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)",
          "s",
          "{\"role\": \"user\", \"content\": \"a needle\"}");
    }
    SqliteErrors errors = new SqliteErrors("the store");
    Connections connections = new Connections(SmallDisk.options(file()), errors, real -> real);
    connections.prepare();
    Committer committer = new Committer(connections, Synchronous.FULL, errors, () -> 1L, null);
    SearchIndex index = new SearchIndex(connections, committer, Clock.systemUTC());
    assertThat(index.search(SearchQuery.of("", "needle")).hits()).hasSize(1);
    assertThat(committer.commits()).isZero();
    committer.close();
    connections.close();
    open();
  }

  @Test
  void aBatchOfLargeItems_isBoundedByTheirSize() {
    store.session("s").addItems(Collections.nCopies(5, Item.user("a ".repeat(1 << 20))));
    store.close();
    SqliteErrors errors = new SqliteErrors("the store");
    Connections connections = new Connections(SmallDisk.options(file()), errors, real -> real);
    connections.prepare();
    Committer committer = new Committer(connections, Synchronous.FULL, errors, () -> 1L, null);
    SearchIndex index = new SearchIndex(connections, committer, Clock.systemUTC());
    int steps = 0;
    while (index.step()) {
      steps++;
    }
    assertThat(steps).as("one of 2 MiB at a time").isEqualTo(5);
    committer.close();
    connections.close();
    open();
  }

  @Test
  void indexingAndEditingAtTheSameTimeForgetNothingAndKeepNothing() throws SQLException {
    int rounds = Soak.times(8, 200);
    AtomicBoolean done = new AtomicBoolean();
    Wait.together(
        4,
        number -> {
          if (number == 0) {
            try {
              for (int round = 0; round < rounds; round++) {
                changeABatch(round);
              }
            } finally {
              done.set(true);
            }
          } else {
            while (!done.get()) {
              store.search(SearchQuery.of("", "settled").limit(1));
            }
          }
          return true;
        });
    assertThat(hits("", "settled"))
        .as("every edited item, or a whole page of them")
        .hasSize(Math.min(20 * rounds, SessionQuery.MAX_LIMIT));
    assertThat(hits("", "draft")).as("what they were before").isEmpty();
    SearchTest.awaitIndex(file());
    assertThat(rawHits("draft")).as("words of what is gone, in the index itself").isZero();
    assertThat(rawHits("settled")).isEqualTo(20 * rounds);
  }

  /** Sixty items: twenty are edited, twenty popped, twenty stay. */
  private void changeABatch(int round) {
    StoredSession session = store.session("r" + round);
    session.addItems(
        IntStream.range(0, 60)
            .mapToObj(i -> Item.user((i < 20 ? "kept " : "draft ") + i))
            .toList());
    List<Entry> entries = session.entries(Range.first(100)).entries();
    for (int i = 20; i < 40; i++) {
      session.commit(
          Commit.replaceItem(entries.get(i).position(), Draft.of(Item.user("settled " + i))));
      session.popItem();
    }
  }

  private int rawHits(String word) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file())) {
      return matches(connection, SearchPhrases.parse("\"" + word + "\"")).size();
    }
  }

  @Test
  void anIndexThatWasEmptiedIsMadeAnew() throws SQLException {
    session().addItems(List.of(Item.user("old needle"), Item.user("needle")));
    long upTo = session().entries(Range.first(1)).entries().get(0).position();
    session().commit(Commit.replacePrefix(upTo, List.of(Item.user("needle, in short"))));
    assertThat(snippets("needle")).hasSize(3);
    store.close();
    meddle("DELETE FROM clew_search");
    open();
    assertThat(snippets("needle")).hasSize(3);
  }

  @Test
  void anIndexThatIsBrokenIsMadeAnew() throws SQLException {
    session().addItems(List.of(Item.user("a needle")));
    assertThat(snippets("needle")).hasSize(1);
    meddle("UPDATE clew_search_data SET block = x'00ff00ff00ff' WHERE id > 10");
    assertThat(snippets("needle")).hasSize(1);
    meddle("DROP TABLE clew_search");
    assertThat(snippets("needle")).hasSize(1);
    session().addItems(List.of(Item.user("another needle")));
    assertThat(snippets("needle")).hasSize(2);
  }

  /** As earlier versions made it; it is good until the file is rewritten anyway. */
  @Test
  void anIndexThatHoldsACopyOfEveryText_isUsed_andMadeAnewWhenTheFileShrinks() throws SQLException {
    meddle("DROP TABLE clew_search");
    meddle("CREATE VIRTUAL TABLE clew_search USING fts5(owner, terms, tokenize = ascii)");
    session().addItems(List.of(Item.user("a needle")));
    assertThat(snippets("needle")).hasSize(1);
    Compression.of(store).shrink();
    assertThat(snippets("needle")).hasSize(1);
    assertThatThrownBy(() -> meddle("SELECT count(*) FROM clew_search_content"))
        .hasMessageContaining("no such table");
  }

  private void meddle(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Set<Long> matches(Connection connection, SearchPhrases phrases)
      throws SQLException {
    Set<Long> found = new TreeSet<>();
    try (PreparedStatement query =
        connection.prepareStatement("SELECT rowid FROM clew_search WHERE clew_search MATCH ?")) {
      query.setString(1, "terms : (" + phrases.fts5() + ")");
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getLong(1));
        }
      }
    }
    return found;
  }
}
