package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.kit.text.SearchPhrases;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Search in the index that follows the messages. */
class SearchTest {
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

  // ---- what is found

  @TestFactory
  Stream<DynamicTest> theFixtureIsFoundAsWrittenDown() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : fixture()) {
      if (line.startsWith("text ")) {
        String[] parts = line.substring(5).split("\\|", 3);
        String name = parts[0].trim();
        store.session(name).addItems(List.of(item(parts[1].trim(), parts[2].trim())));
      } else if (line.startsWith("find ")) {
        String query = line.substring(5, line.lastIndexOf("=>")).trim();
        String expected = line.substring(line.lastIndexOf("=>") + 2).trim();
        tests.add(DynamicTest.dynamicTest(line, () -> assertFinds(query, expected)));
      }
    }
    assertThat(tests).hasSizeGreaterThan(50);
    return tests.stream();
  }

  private static List<String> fixture() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SearchTest.class.getResourceAsStream("search-fixture.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static Item item(String kind, String text) {
    return switch (kind) {
      case "user" -> Item.user(text);
      case "assistant" -> Item.assistant(text);
      case "call" -> Item.functionCall("c", "run", text);
      default -> Item.functionCallOutput("c", text);
    };
  }

  private void assertFinds(String query, String expected) {
    List<Hit> hits = hits("", query);
    assertThat(hits.stream().map(hit -> hit.key().id()))
        .containsExactlyInAnyOrder(expected.isEmpty() ? new String[0] : expected.split(" ", -1));
    for (Hit hit : hits) {
      assertThat(hit.highlights()).as("highlights of %s", hit).isNotEmpty();
      hit.highlights()
          .forEach(mark -> assertThat(mark.end()).isLessThanOrEqualTo(hit.snippet().length()));
    }
  }

  static IntStream seeds() {
    return IntStream.range(0, Soak.times(6, 300));
  }

  /** The index, asked without any check of what it answers, means what SearchPhrases means. */
  @ParameterizedTest
  @MethodSource("seeds")
  void theIndexAgreesWithTheMeaningOfAQuery(int seed) throws SQLException {
    Random random = new Random(seed);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      texts.add(RandomText.text(random, 40));
    }
    session().addItems(texts.stream().map(Item::user).toList());
    List<Long> positions =
        session().entries(Range.first(1000)).entries().stream().map(Entry::position).toList();
    awaitIndex(file());

    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file())) {
      for (int i = 0; i < 100; i++) {
        String query = RandomText.query(random, texts);
        SearchPhrases phrases = SearchPhrases.parse(query);
        Set<Long> expected = new TreeSet<>();
        for (int t = 0; t < texts.size(); t++) {
          if (phrases.matches(texts.get(t))) {
            expected.add(positions.get(t));
          }
        }
        assertThat(phrases.isEmpty() ? new TreeSet<>() : matches(connection, phrases))
            .as("seed %d, query [%s]", seed, query)
            .isEqualTo(expected);
        assertThat(hits("", query).stream().map(Hit::position))
            .as("seed %d, query [%s]", seed, query)
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  /** Waits until the background has indexed everything in the file. */
  static void awaitIndex(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        PreparedStatement behind =
            connection.prepareStatement(
                "SELECT EXISTS (SELECT 1 FROM clew_unindexed) OR EXISTS (SELECT 1 FROM"
                    + " agent_messages WHERE id > (SELECT value FROM clew_meta"
                    + " WHERE name = 'indexed'))")) {
      Wait.until(
          "everything is indexed",
          () -> {
            try (ResultSet row = behind.executeQuery()) {
              return !row.getBoolean(1);
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
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

  @Test
  void itemsOfAnyShapeAreIndexedOrLeftOutButNeverInTheWay() {
    for (String odd :
        List.of(
            "{}",
            "{\"role\":5,\"content\":7}",
            "{\"role\":\"user\",\"content\":null}",
            "{\"role\":\"user\",\"content\":[1,null,{\"type\":3},[\"x\"]]}",
            "{\"type\":\"message\"}",
            "{\"type\":\"function_call\",\"arguments\":{\"a\":1}}",
            "{\"type\":\"function_call_output\",\"output\":[{\"text\":4},5]}",
            "{\"type\":\"function_call_output\"}",
            "{\"type\":17}",
            "{\"type\":\"reasoning\",\"summary\":9}")) {
      session().addItems(List.of(Item.parse(odd)));
    }
    session().addItems(List.of(Item.user("a needle in the end")));
    assertThat(snippets("needle")).hasSize(1);
  }

  // ---- whose words are found

  @Test
  void wordsOfOtherOwnersAreNeverFound() {
    List<String> owners = List.of("", "ann", "bob", "ann:x", "ann%3Ax", "%", "_", "ANN");
    for (String owner : owners) {
      store.session(new SessionKey(owner, "s")).addItems(List.of(Item.user("needle")));
    }
    for (String owner : owners) {
      assertThat(hits(owner, "needle")).extracting(hit -> hit.key().owner()).containsExactly(owner);
    }
    assertThat(hits("nobody", "needle")).isEmpty();
  }

  @Test
  void aQueryCannotReachAnotherOwnerByItsSyntax() {
    store.session(new SessionKey("ann", "s")).addItems(List.of(Item.user("needle")));
    for (String query :
        List.of(
            "needle OR needle",
            "owner : needle",
            "\") OR (\"needle",
            "needle NOT x",
            "NEAR(needle)",
            "* needle",
            "needle*",
            "^needle",
            "{owner terms} : needle",
            "-needle",
            "'; DROP x --")) {
      assertThat(hits("bob", query)).as(query).isEmpty();
    }
    assertThat(hits("ann", "needle")).hasSize(1);
  }

  @Test
  void aSearchWithinASessionFindsOnlyWhatIsInIt() {
    store.session("a").addItems(List.of(Item.user("needle in a")));
    store.session("b").addItems(List.of(Item.user("needle in b")));
    store.session(new SessionKey("ann", "a")).addItems(List.of(Item.user("needle of ann")));
    assertThat(store.search(SearchQuery.of("", "needle").within("a")).hits())
        .extracting(Hit::snippet)
        .containsExactly("needle in a");
  }

  // ---- what is gone is not found

  @Test
  void whatIsPoppedRemovedEditedOrClearedIsNotFoundAnyMore() {
    session()
        .addItems(
            Stream.of("one needle", "two needle", "three needle", "four needle")
                .map(Item::user)
                .toList());
    assertThat(snippets("needle")).hasSize(4);

    session().popItem();
    assertThat(snippets("needle")).doesNotContain("four needle").hasSize(3);
    List<Entry> entries = session().entries(Range.first(10)).entries();
    session().commit(Commit.removeItem(entries.get(0).position()));
    assertThat(snippets("needle")).doesNotContain("one needle").hasSize(2);
    session()
        .commit(Commit.replaceItem(entries.get(1).position(), Draft.of(Item.user("two pins"))));
    assertThat(snippets("needle")).containsExactly("three needle");
    assertThat(snippets("pins")).containsExactly("two pins");
    session().clearSession();
    assertThat(snippets("needle")).isEmpty();
    assertThat(snippets("pins")).isEmpty();
  }

  @Test
  void anItemThatGoesBeforeItWasIndexedIsNotFound() {
    session().addItems(List.of(Item.user("a needle"), Item.user("another needle")));
    session().popItem();
    session()
        .commit(
            Commit.replaceItem(
                session().entries(Range.first(1)).entries().get(0).position(),
                Draft.of(Item.user("a pin"))));
    assertThat(snippets("needle")).isEmpty();
    assertThat(snippets("pin")).containsExactly("a pin");
  }

  @Test
  void whatACompactionReplacedIsStillFound() {
    session().addItems(List.of(Item.user("an old needle"), Item.user("newer")));
    assertThat(snippets("needle")).hasSize(1);
    long upTo = session().entries(Range.first(1)).entries().get(0).position();
    session().commit(Commit.replacePrefix(upTo, List.of(Item.user("a summary"))));
    assertThat(snippets("needle")).containsExactly("an old needle");
    assertThat(snippets("summary")).containsExactly("a summary");

    long all = session().entries(Range.latest(1)).entries().get(0).position();
    session().commit(Commit.dropPrefix(all, List.of(Item.user("the end"))));
    assertThat(snippets("newer")).as("dropped, not archived").isEmpty();
    assertThat(snippets("summary")).isEmpty();
    assertThat(snippets("needle")).as("the archive goes with it").isEmpty();

    session().addItems(List.of(Item.user("another needle")));
    long last = session().entries(Range.latest(1)).entries().get(0).position();
    session().commit(Commit.replacePrefix(last, List.of()));
    assertThat(snippets("needle")).hasSize(1);
    session().clearSession();
    assertThat(snippets("needle")).isEmpty();
  }

  @Test
  void whatACompactionReplacedBeforeItWasIndexedIsStillFound() {
    session().addItems(List.of(Item.user("an old needle"), Item.user("newer")));
    long upTo = session().entries(Range.latest(1)).entries().get(0).position();
    session().commit(Commit.replacePrefix(upTo, List.of(Item.user("a summary"))));
    assertThat(snippets("needle")).containsExactly("an old needle");
    assertThat(snippets("summary")).containsExactly("a summary");
  }

  @Test
  void aHitCarriesTheTitleOfItsSession() {
    session().addItems(List.of(Item.user("needle")));
    session().update(SessionUpdate.none().title("Sewing"));
    assertThat(hits("", "needle")).extracting(Hit::title).containsExactly("Sewing");
  }

  @Test
  void aSearchForNothingFindsNothing() {
    session().addItems(List.of(Item.user("text")));
    for (String query : List.of("", " ", "\"\"", "?!", "*", "\u3000")) {
      assertThat(hits("", query)).as("[%s]", query).isEmpty();
    }
  }
}
