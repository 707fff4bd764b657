package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.spi.RecentItems;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that a failing disk or another program has spoilt. */
class DamageTest {
  private static final String SECRET = "xyzzy-secret";
  private static final int ITEMS = 10;

  @TempDir Path folder;
  private SqliteStore store;
  private StoredSession session;
  private List<Long> positions;

  /** Ways to spoil a row, behind the triggers' back where a disk would do it. */
  enum Way {
    CUT_OFF("message_data = substr(message_data, 1, 20)"),
    ONE_CHARACTER("message_data = replace(message_data, 'item', 'itex')"),
    CHECKSUM("clew_crc = clew_crc + 1"),
    NOT_JSON("message_data = 'xyzzy-secret'"),
    NOT_AN_OBJECT("message_data = '[\"xyzzy-secret\"]', clew_crc = NULL"),
    NULL_TEXT("message_data = 'null', clew_crc = NULL"),
    EMPTY("message_data = ''"),
    NOT_UTF8("message_data = CAST(x'7B2261223A22FF227D' AS TEXT), clew_crc = NULL"),
    BLOB("message_data = x'00010203FFFE'"),
    NUMBER("message_data = 17, clew_crc = NULL"),
    NAN("message_data = '{\"a\": NaN}', clew_crc = NULL"),
    TWO_DOCUMENTS("message_data = '{} {}', clew_crc = NULL");

    final String assignment;

    Way(String assignment) {
      this.assignment = assignment;
    }
  }

  @BeforeEach
  void fill() {
    store = SqliteStore.open(file());
    session = store.session("s");
    session.addItems(IntStream.range(0, ITEMS).mapToObj(DamageTest::item).toList());
    store.session("other").addItems(List.of(item(100)));
    positions =
        session.entries(Range.first(ITEMS)).entries().stream().map(Entry::position).toList();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Path file() {
    return folder.resolve("damage.db");
  }

  private static Item item(int number) {
    return Item.user("item " + number + " " + SECRET);
  }

  private static List<Item> items(int... numbers) {
    return IntStream.of(numbers).mapToObj(DamageTest::item).toList();
  }

  private void spoil(Way way, int... numbers) throws SQLException {
    for (int number : numbers) {
      meddle("UPDATE agent_messages SET " + way.assignment + " WHERE id = ?", number);
    }
  }

  /** As a disk would: no trigger knows of it. Another process sees it as a commit all the same. */
  private void meddle(String sql, int number) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        var triggers = connection.createStatement();
        PreparedStatement update = connection.prepareStatement(sql)) {
      triggers.execute("BEGIN");
      triggers.execute("INSERT INTO clew_meta (name, value) VALUES ('quiet', 1)");
      update.setLong(1, positions.get(number));
      update.executeUpdate();
      triggers.execute("DELETE FROM clew_meta WHERE name = 'quiet'");
      triggers.execute("COMMIT");
    }
    store.close(); // what is cached in memory is not damaged
    store = SqliteStore.open(file());
    session = store.session("s");
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    store.check(findings::add);
    return findings;
  }

  @ParameterizedTest
  @EnumSource
  void damageInTheMiddleHidesNothingElse(Way way) throws SQLException {
    spoil(way, 4);
    assertThat(session.getItems()).isEqualTo(items(0, 1, 2, 3, 5, 6, 7, 8, 9));
    assertThat(session.getItems(6)).isEqualTo(items(3, 5, 6, 7, 8, 9));
    assertThat(session.getItems(5)).isEqualTo(items(5, 6, 7, 8, 9));
    assertThat(session.entries(Range.after(positions.get(2), 3)).items()).isEqualTo(items(3, 5, 6));
    assertThat(session.entries(Range.before(positions.get(6), 2)).items()).isEqualTo(items(3, 5));
    assertThat(store.session("other").getItems(5)).isEqualTo(items(100));
  }

  @ParameterizedTest
  @EnumSource
  void aPopAtADamagedTailReturnsTheReadableItemBeforeItAndPutsTheDamagedAside(Way way)
      throws SQLException {
    spoil(way, 8, 9);
    assertThat(session.getItems(2)).isEqualTo(items(6, 7));

    assertThat(session.popItem()).contains(item(7));

    assertThat(session.getItems(2)).isEqualTo(items(5, 6));
    assertThat(findings())
        .extracting(Finding::kind, finding -> finding.position().orElse(0))
        .containsExactly(
            tuple(Finding.Kind.QUARANTINED, positions.get(8)),
            tuple(Finding.Kind.QUARANTINED, positions.get(9)));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource
  void theCheckReportsDamageWithItsPlaceAndNeverItsContent(Way way) throws SQLException {
    spoil(way, 0, 5);
    List<Finding> found = findings();
    assertThat(found).extracting(Finding::kind).containsOnly(Finding.Kind.DAMAGED);
    assertThat(found)
        .extracting(finding -> finding.position().orElse(0))
        .containsExactly(positions.get(0), positions.get(5));
    assertThat(found).allMatch(finding -> finding.key().orElseThrow().id().equals("s"));
    assertThat(found).noneMatch(finding -> finding.message().contains(SECRET));
  }

  @Test
  void aPageNamesTheDamagedPositionsAmongItsEntries() throws SQLException {
    spoil(Way.CHECKSUM, 4);
    List<Long> damaged = List.of(positions.get(4));
    assertThat(session.entries(Range.first(4)).damaged()).isEmpty();
    assertThat(session.entries(Range.first(5)).damaged()).isEqualTo(damaged);
    assertThat(session.entries(Range.after(positions.get(3), 50)).damaged()).isEqualTo(damaged);
    assertThat(session.entries(Range.before(positions.get(6), 1)).damaged()).isEmpty();
    assertThat(session.entries(Range.before(positions.get(6), 2)).damaged()).isEqualTo(damaged);

    RecentItems recent = store.feature(RecentItems.class).orElseThrow();
    assertThat(recent.newest(session.key(), 5).damaged()).isEmpty();
    assertThat(recent.newest(session.key(), 6).damaged()).isEqualTo(damaged);
    session.addItems(items(11));
    assertThat(recent.newest(session.key(), 7).damaged()).as("after an append").isEqualTo(damaged);
  }

  @Test
  void aSessionOfNothingButDamageIsEmptyAndUsable() throws SQLException {
    spoil(Way.CHECKSUM, IntStream.range(0, ITEMS).toArray());
    assertThat(session.getItems()).isEmpty();
    assertThat(session.getItems(5)).isEmpty();
    session.addItems(items(11));
    assertThat(session.getItems(5)).isEqualTo(items(11));
    assertThat(session.popItem()).contains(item(11));
    assertThat(session.popItem()).isEmpty();
    assertThat(findings()).hasSize(ITEMS);
    assertThat(session.info().orElseThrow().itemCount()).isZero();
  }

  @Test
  void whatWasPutAsideIsKeptByteByByte() throws SQLException {
    spoil(Way.BLOB, 9);
    session.popItem();
    try (PythonProgram reader = PythonProgram.start(file())) {
      assertThat(reader.texts("SELECT hex(data) FROM clew_quarantine"))
          .containsExactly("00010203FFFE");
    }
  }

  @Test
  void theLogNamesSessionAndPositionOnceAndNeverTheContent() throws SQLException {
    spoil(Way.ONE_CHARACTER, 4);
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      for (int i = 0; i < 3; i++) {
        session.getItems();
        session.getItems(8);
        session.entries(Range.first(20));
      }
    } finally {
      System.setErr(before);
    }
    String log = logged.toString(StandardCharsets.UTF_8);
    assertThat(log.lines().filter(line -> line.contains("damaged")))
        .hasSize(1)
        .allMatch(
            line ->
                line.contains("position " + positions.get(4) + " ")
                    && line.contains("session s")
                    && line.contains("clew doctor"));
    assertThat(log).doesNotContain(SECRET);
  }

  @Test
  void damageDoesNotStopSearchForkCompactionOrUndo() throws SQLException {
    spoil(Way.CHECKSUM, 2, 9);
    assertThat(store.search(SearchQuery.of("", "\"item 5\"")).hits()).hasSize(1);
    assertThat(store.search(SearchQuery.of("", "\"item 2\"")).hits()).isEmpty();
    assertThat(session.fork("fork", Long.MAX_VALUE).getItems())
        .isEqualTo(items(0, 1, 3, 4, 5, 6, 7, 8));
    assertThat(session.undoTurn()).isEqualTo(items(8));
    session.commit(Commit.replacePrefix(positions.get(4), items(50)));
    assertThat(session.getItems()).isEqualTo(items(50, 5, 6, 7));
    assertThat(session.entries(Range.first(50).withCompacted()).items())
        .isEqualTo(items(0, 1, 3, 4, 50, 5, 6, 7));
    session.clearSession();
    assertThat(session.getItems()).isEmpty();
    assertThat(session.info()).isEmpty();
  }

  @Test
  void spoiltNotesHideNoItem() throws SQLException {
    meddle("UPDATE agent_messages SET clew_notes = '{\"a\":' WHERE id = ?", 4);
    assertThat(session.entries(Range.first(50)).items()).hasSize(ITEMS);
    assertThat(session.getItems()).hasSize(ITEMS);
    assertThat(findings()).extracting(Finding::kind).containsExactly(Finding.Kind.DAMAGED);
    assertThat(findings()).extracting(Finding::message).asString().contains("notes");
  }

  @Test
  void damageInTheArchiveIsReportedToo() throws SQLException {
    session.commit(Commit.replacePrefix(positions.get(4), items(50)));
    meddle("UPDATE clew_archive SET crc = crc + 1 WHERE position = ?", 2);
    assertThat(session.entries(Range.first(50).withCompacted()).items()).hasSize(ITEMS);
    assertThat(findings())
        .extracting(finding -> finding.position().orElse(0))
        .containsExactly(positions.get(2));
  }

  @Test
  void spoiltMetadataHidesNoSession() throws SQLException {
    session.update(
        SessionUpdate.none().title("title").metadata(Map.of("a", "b")).tags(Set.of("x", "y")));
    meddle(
        "UPDATE agent_sessions SET clew_metadata = '{\"a' WHERE session_id = 's' AND ? IS NOT NULL",
        0);
    assertThat(session.info().orElseThrow().title()).isEqualTo("title");
    assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(2);
    assertThat(session.getItems()).hasSize(ITEMS);
    assertThat(findings()).extracting(Finding::message).asString().contains("metadata");
    session.update(SessionUpdate.none().metadata(Map.of("c", "d")));
    assertThat(session.info().orElseThrow().metadata()).isEqualTo(Map.of("c", "d"));
  }
}
