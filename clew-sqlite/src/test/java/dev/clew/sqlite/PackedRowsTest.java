package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.backup.Backup;
import dev.clew.backup.BackupStore;
import dev.clew.migrate.MigrationListener;
import dev.clew.spi.Compression;
import dev.clew.tck.SampleSessions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Rows that were packed; what else holds of them is in their contract. */
class PackedRowsTest extends SharedFile {
  private static final SessionKey KEY = SessionKey.of("s");

  private static List<Item> talk(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                Item.assistant(
                    "Answer "
                        + i
                        + ": if you want to travel by train from Berlin to Lisbon, you should"
                        + " first look at the night trains, and then at the weather."))
        .toList();
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : -1;
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long packedRows() throws SQLException {
    return number("SELECT count(*) FROM agent_messages WHERE typeof(message_data) = 'blob'");
  }

  private long schema() throws SQLException {
    return number("SELECT value FROM clew_meta WHERE name = 'schema'");
  }

  private static void compressAll(SqliteStore store) {
    for (String owner : store.owners(Optional.empty(), 100)) {
      for (SessionInfo info : store.list(SessionQuery.of(owner)).sessions()) {
        Compression.of(store).compress(info.key());
      }
    }
  }

  @Test
  void everythingReadsAsBefore_takesLessRoom_andTheFileShrinksWhenAskedTo() throws Exception {
    try (SqliteStore store = open()) {
      SampleSessions.fill(store);
      store.session(KEY).addItems(talk(800));
      store.search(SearchQuery.of("", "Lisbon")); // which brings the index up to date
      var before = SampleSessions.all(store);
      List<Entry> entries = store.session(KEY).entries(Range.first(5_000)).entries();
      SessionInfo info = store.session(KEY).info().orElseThrow();

      Compression.Saving saving = Compression.of(store).compress(KEY).orElseThrow();
      assertThat(saving.before()).isEqualTo(info.bytes());
      assertThat(saving.after()).isLessThan(saving.before() * 2 / 3);
      assertThat(Compression.of(store).isWorthwhile(KEY)).isFalse();
      assertThat(Compression.of(store).compress(KEY)).isEmpty();
      compressAll(store);

      assertThat(packedRows()).isGreaterThan(800);
      assertThat(SampleSessions.all(store)).isEqualTo(before);
      assertThat(store.session(KEY).entries(Range.first(5_000)).entries()).isEqualTo(entries);
      assertThat(store.session(KEY).info()).contains(info);
      assertThat(store.search(SearchQuery.of("", "Lisbon")).hits()).isNotEmpty();
      assertThat(findings(store)).isEmpty();
      assertThat(Compression.of(store).shrink()).isGreaterThan(saving.before() / 4);
      assertThat(SampleSessions.all(store)).isEqualTo(before);
      Path backup = folder.resolve("b.backup");
      Backup.of(store).writeTo(backup, MigrationListener.NONE);
      try (BackupStore restored = BackupStore.open(backup)) {
        assertThat(SampleSessions.all(restored)).isEqualTo(before);
      }
    }
  }

  @Test
  void whatIsAddedLaterIsPlain_untilItIsCompressedToo_andTheBytesStayRight() throws Exception {
    try (SqliteStore store = open()) {
      store.session(KEY).addItems(talk(4));
      Compression.of(store).compress(KEY);
      store.session(KEY).addItems(talk(2));
      assertThat(packedRows()).isEqualTo(4);
      assertThat(Compression.of(store).isWorthwhile(KEY)).isTrue();
      Compression.of(store).compress(KEY);
      assertThat(packedRows()).isEqualTo(6);
      store.session(KEY).popItem();
      store.session(KEY).commit(Commit.removeItem(2));
      store.session(KEY).commit(Commit.replacePrefix(1, List.of(Item.user("short"))));
      SessionKey fork = SessionKey.of("fork");
      store.session(KEY).forkTo(fork, 100);
      for (SessionKey key : List.of(KEY, fork)) {
        long bytes = 0;
        for (Item item : store.session(key).getItems()) {
          bytes += item.json().getBytes(StandardCharsets.UTF_8).length;
        }
        assertThat(store.session(key).info().orElseThrow().bytes()).isEqualTo(bytes);
      }
      assertThat(Compression.of(store).decompress(KEY)).isTrue();
      assertThat(schema()).isEqualTo(2);
      assertThat(Compression.of(store).decompress(fork)).isTrue();
      assertThat(schema()).isEqualTo(1);
      assertThat(packedRows()).isZero();
      assertThat(number("SELECT count(*) FROM clew_archive WHERE typeof(data) = 'blob'")).isZero();
      assertThat(store.session(KEY).getItems()).hasSize(4);
      assertThat(Compression.of(store).decompress(KEY)).isFalse();
    }
  }

  @Test
  void otherProgramsCanNeitherPopNorClearWhatTheyCannotRead_untilItIsDecompressed()
      throws Exception {
    try (SqliteStore store = open();
        PythonProgram python = python()) {
      python.addItems(
          "s",
          "{\"id\": \"m1\", \"role\": \"user\", \"content\": \"said by a program in Python\"}");
      store.session(KEY).addItems(talk(2));
      store.session("plain").addItems(talk(1));
      assertThat(Compression.of(store).compress(KEY)).isPresent();
      assertThat(packedRows()).isEqualTo(3);
      assertThat(store.session(KEY).find("m1")).isPresent();
      for (ThrowingCallable change :
          List.<ThrowingCallable>of(() -> python.popItem("s"), () -> python.clearSession("s"))) {
        assertThatThrownBy(change).hasMessageContaining("clew sessions decompress");
        python.run("ROLLBACK");
      }
      assertThatThrownBy(() -> run("UPDATE agent_messages SET message_data = '{}'"))
          .hasMessageContaining("clew sessions decompress");
      assertThat(store.session(KEY).getItems()).hasSize(3);
      python.clearSession("plain");
      assertThat(store.session("plain").getItems()).isEmpty();
      python.addItems("s", dumped("added beside packed rows"));
      assertThat(store.session(KEY).getItems()).hasSize(4);
      Compression.of(store).decompress(KEY);
      assertThat(python.popItem("s")).isPresent();
      assertThat(store.session(KEY).getItems()).hasSize(3);
      assertThat(findings(store)).isEmpty();
    }
  }

  @Test
  void rowsThatAreDamagedOrDoNotGetSmallerStayAsTheyAre() throws Exception {
    try (SqliteStore store = open()) {
      store.session(KEY).addItems(talk(2));
      store.session(KEY).addItems(List.of(Item.parse("{\"a\":1}")));
      run("DROP TRIGGER clew_foreign_edit");
      run(
          "UPDATE agent_messages SET message_data = '{\"spoilt'"
              + " WHERE id = (SELECT min(id) FROM agent_messages)");
      Compression.of(store).compress(KEY);
      assertThat(packedRows()).isEqualTo(1);
      assertThat(store.session(KEY).getItems()).hasSize(2);
      assertThat(findings(store)).hasSize(1);
      assertThat(Compression.of(store).isWorthwhile(KEY)).isFalse();
    }
  }
}
