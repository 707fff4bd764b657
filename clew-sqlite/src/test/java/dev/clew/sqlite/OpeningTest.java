package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Durability;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import dev.clew.spi.Compression;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening: every path and file that can be given, good or bad. */
class OpeningTest {
  @TempDir Path folder;

  private static void use(SessionStore store) {
    store.session("s").addItems(List.of(Item.user("hello")));
    assertThat(store.session("s").getItems()).contains(Item.user("hello"));
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(Path path) {
    return assertThatThrownBy(() -> SqliteStore.open(path).close())
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(path.toString());
  }

  private Path sqlite(String name, String... statements) throws SQLException {
    Path file = folder.resolve(name);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    return file;
  }

  // ---- paths

  @Test
  void aMissingFileIsMadeWithItsFolders() {
    Path file = folder.resolve("a/b/c/store.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      use(store);
    }
    assertThat(file).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with space.db",
        "für 你好 😀.db",
        "what?.db",
        "what?mode=memory.db",
        "100%.db",
        "%41.db",
        "a#b.db",
        "a&b=c;d'e\"f.db",
        "no-extension",
        "-wal",
        "dir with ?%# in it/store.db"
      })
  void aNameOfAnyCharactersIsThatFile(String name) throws SQLException {
    Path file = folder.resolve(name);
    try (SqliteStore store = SqliteStore.open(file)) {
      use(store);
    }
    assertThat(file).isRegularFile();
    try (SqliteStore store = SqliteStore.open(file)) {
      assertThat(store.session("s").getItems()).hasSize(1);
    }
    assertThat(list(file.getParent())).as("no file beside it").containsExactly(file);
  }

  private static List<Path> list(Path folder) {
    try (var files = Files.list(folder)) {
      return files.toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFolderIsRefusedWithAFileToUseInstead() {
    assertRefused(folder).hasMessageContainingAll("is a folder", "clew.db");
  }

  @Test
  void aPathThatLeadsThroughAFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "text");
    assertRefused(file.resolve("store.db")).hasMessageContaining("folder");
    assertThat(file).hasContent("text");
  }

  @Test
  void aFolderThatCannotBeMadeIsRefused() {
    // Nobody, not even root, makes a folder in /proc.
    assertRefused(Path.of("/proc/clew/store.db"))
        .hasMessageContainingAll("cannot create its folder /proc/clew (", ")");
  }

  @Test
  void aFolderInWhichNobodyCanWriteIsRefused() {
    assertRefused(Path.of("/proc/store.db"))
        .hasMessageMatching(".*(cannot create the file \\([^/]+\\)|is not writable.*)");
  }

  @Test
  void aReadOnlyFileIsRefusedAndStaysAsItIs() throws Exception {
    Path file = folder.resolve("readonly.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      use(store);
    }
    try (ReadOnly readOnly = ReadOnly.make(file)) {
      assertRefused(readOnly.file()).hasMessageContainingAll("the file is read-only", "writable");
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      assertThat(store.session("s").getItems()).hasSize(1);
    }
  }

  // ---- contents

  @Test
  void aFileThatIsNoDatabaseIsRefusedAndStaysAsItIs() throws IOException {
    String text = "Dear diary, ".repeat(1000);
    Path file = Files.writeString(folder.resolve("diary.txt"), text);
    assertRefused(file).hasMessageContainingAll("not a SQLite database", "another path");
    assertThat(file).hasContent(text);
    assertThat(list(folder)).containsExactly(file);
  }

  @Test
  void anEmptyFileIsAnEmptyStore() throws IOException {
    Path file = Files.createFile(folder.resolve("empty.db"));
    try (SqliteStore store = SqliteStore.open(file)) {
      use(store);
    }
  }

  @Test
  void aFileOfANewerClewIsRefusedAndStaysAsItIs() throws Exception {
    SqliteStore.open(folder.resolve("new.db")).close();
    Path file = sqlite("new.db", "UPDATE clew_meta SET value = 99 WHERE name = 'schema'");
    byte[] before = Files.readAllBytes(file);
    assertRefused(file).hasMessageContainingAll("newer Clew", "99", "update Clew");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aFileFromBeforeTheIndexesOfMarkedSessionsGetsThem() throws SQLException {
    Path file = folder.resolve("before.db");
    SessionKey pinned = new SessionKey("ann", "pinned");
    try (SqliteStore store = SqliteStore.open(file)) {
      store.session(pinned).update(SessionUpdate.none().pinned(true));
      store.session(new SessionKey("ann", "other")).update(SessionUpdate.none().title("other"));
    }
    sqlite(
        "before.db",
        "DROP INDEX clew_pinned",
        "DROP INDEX clew_archived",
        "DROP INDEX clew_tagged",
        "DROP INDEX clew_packed",
        "ALTER TABLE agent_sessions DROP COLUMN clew_packed",
        "DELETE FROM clew_meta WHERE name = 'indexes'");
    try (SqliteStore store = SqliteStore.open(file)) {
      assertThat(store.list(SessionQuery.of("ann").pinned(true)).sessions())
          .extracting(SessionInfo::key)
          .containsExactly(pinned);
      store.session(pinned).addItems(List.of(Item.user("a message that gets smaller")));
      assertThat(Compression.of(store).compress(pinned)).isPresent();
    }
    assertThat(
            plan(
                file,
                "SELECT session_id FROM agent_sessions WHERE clew_owner = 'ann'"
                    + " AND clew_pinned = 1 ORDER BY clew_updated DESC, session_id"))
        .contains("USING INDEX clew_pinned");
  }

  private static String plan(Path file, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
      return row.getString("detail");
    }
  }

  @Test
  void tablesOfTheseNamesWithOtherColumnsAreRefusedNamingThem() throws SQLException {
    Path file =
        sqlite("other.db", "CREATE TABLE agent_messages (id INTEGER, body TEXT, sender TEXT)");
    assertRefused(file)
        .hasMessageContainingAll(
            "agent_messages",
            "missing columns [created_at, message_data, session_id]",
            "unknown columns [body, sender]",
            "messages_table");
    try (SqliteStore store =
        SqliteStore.builder(file.toString()).messagesTable("chat_messages").open()) {
      use(store);
    }
  }

  @Test
  void aSessionsTableWithOneColumnMoreIsRefusedToo() throws SQLException {
    Path file =
        sqlite(
            "more.db",
            "CREATE TABLE agent_sessions (session_id TEXT PRIMARY KEY, created_at TIMESTAMP,"
                + " updated_at TIMESTAMP, user_id TEXT)");
    assertRefused(file).hasMessageContainingAll("agent_sessions", "unknown columns [user_id]");
  }

  @Test
  void aFileOfTheAdvancedSessionIsRefusedWithTheWayToImportIt() throws SQLException {
    Path file =
        sqlite("advanced.db", "CREATE TABLE message_structure (id INTEGER, branch_id TEXT)");
    assertRefused(file).hasMessageContainingAll("AdvancedSQLiteSession", "import");
  }

  @Test
  void whatElseIsInTheFileStaysThere() throws SQLException {
    Path file =
        sqlite("app.db", "CREATE TABLE users (name TEXT)", "INSERT INTO users VALUES ('a')");
    try (SqliteStore store = SqliteStore.open(file)) {
      use(store);
    }
    sqlite("app.db", "INSERT INTO users SELECT name FROM users");
  }

  @Test
  void aDamagedFileIsATypedErrorThatNamesIt() throws IOException {
    Path file = folder.resolve("damaged.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      String text = "x".repeat(3_000);
      store
          .session("s")
          .addItems(IntStream.range(0, 500).mapToObj(i -> Item.user(text + i)).toList());
    }
    long size = Files.size(file);
    try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
      // All but the first page, so that the damage shows when something is read, not before.
      for (long page = 4096; page < size; page += 4096) {
        raw.seek(page);
        raw.write("garbage ".repeat(64).getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThatThrownBy(
            () -> {
              try (SqliteStore store = SqliteStore.open(file)) {
                store.session("s").getItems();
              }
            })
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContainingAll(file.toString(), "damaged", "backup")
        .satisfies(e -> assertThat(((ClewException) e).retryable()).isFalse());
  }

  @Test
  void aFileThatWasCutOffIsATypedError() throws IOException {
    Path file = folder.resolve("cut.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      store
          .session("s")
          .addItems(IntStream.range(0, 500).mapToObj(i -> Item.user("item " + i)).toList());
    }
    try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
      raw.setLength(raw.length() / 2);
    }
    assertThatThrownBy(
            () -> {
              try (SqliteStore store = SqliteStore.open(file)) {
                store.session("s").getItems();
              }
            })
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(file.toString());
  }

  // ---- several stores

  @Test
  void storesInMemoryHaveNothingInCommon() {
    try (SqliteStore one = SqliteStore.open(":memory:");
        SqliteStore two = SqliteStore.open(":memory:")) {
      use(one);
      assertThat(two.session("s").getItems()).isEmpty();
      assertThat(one.traits().durability()).isEqualTo(Durability.VOLATILE);
    }
    assertThat(Path.of(":memory:")).doesNotExist();
  }

  @Test
  void twoPairsOfTablesInOneFileHaveNothingInCommon() {
    String file = folder.resolve("pairs.db").toString();
    try (SqliteStore one = SqliteStore.open(file);
        SqliteStore two =
            SqliteStore.builder(file).sessionsTable("s2").messagesTable("m2").open()) {
      use(one);
      assertThat(two.session("s").getItems()).isEmpty();
      two.session("s").addItems(List.of(Item.user("two")));
      assertThat(one.session("s").getItems()).containsExactly(Item.user("hello"));
      assertThat(two.search(SearchQuery.of("", "hello")).hits()).isEmpty();
      assertThat(two.search(SearchQuery.of("", "two")).hits()).hasSize(1);
      one.erase("");
      assertThat(two.session("s").getItems()).containsExactly(Item.user("two"));
    }
  }

  @Test
  void aSecondStoreOnTheFileSeesWhatTheFirstWritesAtOnce() throws InterruptedException {
    Path file = folder.resolve("two.db");
    try (SqliteStore one = SqliteStore.open(file);
        SqliteStore two = SqliteStore.open(file)) {
      LinkedBlockingQueue<SessionEvent> events = new LinkedBlockingQueue<>();
      try (Watch watch = two.session("s").watch(0, events::add)) {
        assertThat(watch).isNotNull();
        for (int i = 0; i < 50; i++) {
          (i % 2 == 0 ? one : two).session("s").addItems(List.of(Item.user("item " + i)));
          assertThat(one.session("s").getItems(20)).last().isEqualTo(Item.user("item " + i));
          assertThat(two.session("s").getItems(20)).last().isEqualTo(Item.user("item " + i));
        }
        AtomicInteger told = new AtomicInteger();
        Wait.until(
            "the watcher is told of all",
            () -> {
              while (events.peek() instanceof SessionEvent.Appended appended) {
                told.addAndGet(appended.entries().size());
                events.remove();
              }
              return told.get() == 50;
            });
      }
    }
  }

  @Test
  void manyMayMakeTheFileAtTheSameTime() {
    for (int round = 0; round < Soak.times(5, 100); round++) {
      Path file = folder.resolve("many-" + round + ".db");
      Wait.together(
          8,
          number -> {
            try (SqliteStore store = SqliteStore.open(file)) {
              store.session("s").addItems(List.of(Item.user("from " + number)));
            }
            return true;
          });
      try (SqliteStore store = SqliteStore.open(file)) {
        assertThat(store.session("s").getItems()).hasSize(8);
      }
    }
  }
}
