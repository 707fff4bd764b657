package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.spi.Backend;
import dev.clew.spi.Compression;
import dev.clew.spi.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is opened to read is found as it is, and left as it was. */
class ReadOnlyOpeningTest {
  @TempDir Path folder;

  private static String url(Path file) {
    return "sqlite:" + file;
  }

  /** Every file in the folder with its bytes. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        found.put(
            file.getFileName().toString(), java.util.Arrays.hashCode(bytes) + "/" + bytes.length);
      }
    }
    return found;
  }

  private static void run(Path file, String... statements) throws SQLException {
    try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = raw.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** A file as the Agents SDK for Python makes it. */
  private Path ofTheSdk(String name) throws SQLException {
    Path file = folder.resolve(name);
    run(
        file,
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE agent_sessions (session_id TEXT PRIMARY KEY,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
            + " updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
        "CREATE TABLE agent_messages (id INTEGER PRIMARY KEY AUTOINCREMENT,"
            + " session_id TEXT NOT NULL, message_data TEXT NOT NULL,"
            + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
            + " FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id) ON DELETE CASCADE)",
        "CREATE INDEX idx_agent_messages_session_id ON agent_messages (session_id, id)",
        "INSERT INTO agent_sessions VALUES ('trip', '2026-01-02 03:04:05', '2026-01-02 03:05:06')",
        "INSERT INTO agent_messages (session_id, message_data, created_at) VALUES"
            + " ('trip', '{\"role\":\"user\",\"content\":\"Where is the bridge?\"}',"
            + " '2026-01-02 03:04:05'),"
            + " ('trip', '{\"role\":\"assistant\",\"content\":\"In San Francisco.\"}',"
            + " '2026-01-02 03:05:06'),"
            + " ('orphan', '{\"role\":\"user\",\"content\":\"no session row\"}',"
            + " '2026-01-03 00:00:00')");
    return file;
  }

  @Test
  void aFileThatIsNotThereIsNotMade() throws IOException {
    Path file = folder.resolve("sub/typo.db");
    for (Opening opening : List.of(Opening.READ, Opening.WRITE)) {
      assertThatThrownBy(() -> Stores.open(url(file), opening))
          .isInstanceOf(ClewException.NoSuchStore.class)
          .hasMessageContainingAll(file.toString(), "no such file", "clew init");
    }
    assertThat(file.getParent()).doesNotExist();
  }

  @Test
  void aDatabaseWithoutSessionsIsLeftAlone() throws Exception {
    Path file = folder.resolve("shop.db");
    run(file, "CREATE TABLE customers (name TEXT)", "INSERT INTO customers VALUES ('Ann')");
    Map<String, String> before = everything();
    for (Opening opening : List.of(Opening.READ, Opening.WRITE)) {
      assertThatThrownBy(() -> Stores.open(url(file), opening))
          .isInstanceOf(ClewException.NoSuchStore.class)
          .hasMessageContainingAll(file.toString(), "has not been set up in it");
    }
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void whatIsMadeIsTold() throws Exception {
    List<String> made = new ArrayList<>();
    Path fresh = folder.resolve("new.db");
    Stores.open(url(fresh), Opening.CREATE.telling(made::add)).close();
    Stores.open(url(fresh), Opening.CREATE.telling(made::add)).close();
    Path shop = folder.resolve("shop.db");
    run(shop, "CREATE TABLE customers (name TEXT)");
    Stores.open(url(shop), Opening.CREATE.telling(made::add)).close();
    Path sdk = ofTheSdk("sdk.db");
    Stores.open(url(sdk), Opening.WRITE.telling(made::add)).close();
    assertThat(made)
        .containsExactly(
            "the file " + fresh, "the tables of Clew in " + shop, "the tables of Clew in " + sdk);
  }

  @Test
  void aFileOfTheSdkIsReadWithoutAByteChanged() throws Exception {
    Path file = ofTheSdk("sdk.db");
    assertReadAsItIs(file);
  }

  @Test
  void aFileOfTheSdkWithARollbackJournalIsReadToo() throws Exception {
    Path file = ofTheSdk("sdk.db");
    run(file, "PRAGMA journal_mode = DELETE");
    assertReadAsItIs(file);
  }

  private void assertReadAsItIs(Path file) throws IOException {
    Map<String, String> before = everything();
    try (SessionStore store = Stores.open(url(file), Opening.READ)) {
      assertThat(store.list(SessionQuery.of("")).sessions())
          .extracting(info -> info.key().id())
          .containsExactlyInAnyOrder("trip", "orphan");
      SessionInfo trip = store.session(SessionKey.of("trip")).info().orElseThrow();
      assertThat(trip.itemCount()).isEqualTo(2);
      assertThat(trip.createdAt()).isEqualTo("2026-01-02T03:04:05Z");
      assertThat(trip.updatedAt()).isEqualTo("2026-01-02T03:05:06Z");
      assertThat(store.session("trip").getItems())
          .containsExactly(
              Item.parse("{\"role\":\"user\",\"content\":\"Where is the bridge?\"}"),
              Item.parse("{\"role\":\"assistant\",\"content\":\"In San Francisco.\"}"));
      assertThat(
              store
                  .session(SessionKey.of("trip"))
                  .entries(Range.latest(1).withCompacted())
                  .hasMore())
          .isTrue();
      assertThat(store.owners(Optional.empty(), 10)).containsExactly("");
      assertThat(store.search(SearchQuery.of("", "francisco")).hits())
          .extracting(hit -> hit.key().id())
          .containsExactly("trip");
      List<Finding> findings = new ArrayList<>();
      store.check(findings::add);
      assertThat(findings).isEmpty();
      assertThat(store.documents().list("", "", Optional.empty(), 10)).isEmpty();
      store.ping();
      try (Backend snapshot = snapshot(store).orElseThrow()) {
        assertThat(snapshot.read(SessionKey.of("trip"), Range.latest(5)).entries()).hasSize(2);
      }
      assertRefusesWrites(store);
    }
    assertThat(everything()).isEqualTo(before);
  }

  private static Optional<Backend> snapshot(SessionStore store) {
    return store.feature(Snapshots.class).flatMap(Snapshots::snapshot);
  }

  private static void assertRefusesWrites(SessionStore store) {
    SessionKey key = SessionKey.of("trip");
    assertThatThrownBy(() -> store.session(key).addItems(List.of(Item.user("x"))))
        .isInstanceOf(ClewException.NotSupported.class)
        .hasMessageContaining("to read only");
    assertThatThrownBy(() -> store.session(key).delete())
        .isInstanceOf(ClewException.NotSupported.class);
    assertThatThrownBy(() -> store.erase("")).isInstanceOf(ClewException.NotSupported.class);
  }

  @Test
  void aFileOfOursIsReadWithoutAByteChanged() throws Exception {
    Path file = folder.resolve("ours.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      store.session("trip").addItems(List.of(Item.user("Where is the bridge?")));
      store.search(SearchQuery.of("", "bridge")); // so that it is indexed
      store.session("trip").addItems(List.of(Item.user("A bridge that is not indexed yet")));
    }
    Map<String, String> before = everything();
    try (SessionStore store = Stores.open(url(file), Opening.READ)) {
      assertThat(store.session("trip").getItems()).hasSize(2);
      assertThat(store.search(SearchQuery.of("", "bridge")).hits()).hasSize(2);
      assertThat(store.search(SearchQuery.of("", "bridge")).partial()).isFalse();
      assertRefusesWrites(store);
    }
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void aFileFromBeforeCompressionIsReadAsItIs() throws Exception {
    Path file = folder.resolve("old.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      store.session("trip").addItems(List.of(Item.user("Where is the bridge?")));
    }
    run(
        file,
        "DROP INDEX clew_packed",
        "ALTER TABLE agent_sessions DROP COLUMN clew_packed",
        "DELETE FROM clew_meta WHERE name = 'indexes'");
    Map<String, String> before = everything();
    try (SessionStore store = Stores.open(url(file), Opening.READ)) {
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(1);
      assertThat(store.session("trip").getItems()).hasSize(1);
      assertThat(Compression.of(store).isWorthwhile(SessionKey.of("trip"))).isTrue();
    }
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void aLogThatAKilledWriterLeftIsReadAndStays() throws Exception {
    Path file = folder.resolve("ours.db");
    Path copies = Files.createDirectory(folder.resolve("copies"));
    try (SqliteStore store = SqliteStore.open(file)) {
      store.session("trip").addItems(List.of(Item.user("only in the log")));
      for (String end : List.of("", "-wal")) {
        Files.copy(Path.of(file + end), copies.resolve("copy.db" + end));
      }
    }
    Path copy = copies.resolve("copy.db");
    long log = Files.size(Path.of(copy + "-wal"));
    assertThat(log).isPositive();
    byte[] before = Files.readAllBytes(copy);
    try (SessionStore store = Stores.open(url(copy), Opening.READ)) {
      assertThat(store.session("trip").getItems()).hasSize(1);
    }
    assertThat(Files.readAllBytes(copy)).isEqualTo(before);
    assertThat(Path.of(copy + "-wal")).hasSize(log);
  }

  @Test
  void aFileThatMayOnlyBeReadIsRead() throws Exception {
    Path file = ofTheSdk("sdk.db");
    try (ReadOnly readOnly = ReadOnly.make(file);
        SessionStore store = Stores.open(url(readOnly.file()), Opening.READ)) {
      assertThat(store.session("trip").getItems()).hasSize(2);
      assertThat(store.search(SearchQuery.of("", "bridge")).hits()).hasSize(1);
    }
  }

  @Test
  void aLogThatCannotBeReadWithoutWritingIsNamed() throws Exception {
    Path file = folder.resolve("ours.db");
    Path copies = Files.createDirectory(folder.resolve("copies"));
    try (SqliteStore store = SqliteStore.open(file)) {
      store.session("trip").addItems(List.of(Item.user("only in the log")));
      for (String end : List.of("", "-wal")) {
        Files.copy(Path.of(file + end), copies.resolve("copy.db" + end));
      }
    }
    try (ReadOnly readOnly = ReadOnly.make(copies.resolve("copy.db"))) {
      String url = url(readOnly.file());
      if (Files.isWritable(readOnly.file().getParent())) {
        try (SessionStore store = Stores.open(url, Opening.READ)) {
          assertThat(store.session("trip").getItems()).hasSize(1);
        }
      } else {
        assertThatThrownBy(() -> Stores.open(url, Opening.READ))
            .isInstanceOf(ClewException.StoreUnavailable.class)
            .hasMessageContainingAll("copy.db-wal", "copy ");
      }
    }
  }

  @Test
  void whatIsReadWithoutLocksIsNotTrustedAfterAChange() throws Exception {
    Path file = folder.resolve("ours.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      store.session("trip").addItems(List.of(Item.user("one")));
    }
    try (ReadOnly readOnly = ReadOnly.make(file);
        SessionStore reader = Stores.open(url(readOnly.file()), Opening.READ)) {
      assertThat(reader.session("trip").getItems()).hasSize(1);
      assertThat(snapshot(reader)).isEmpty();
      file.toFile().setWritable(true);
      try (SqliteStore writer = SqliteStore.open(file)) {
        writer.session("trip").addItems(List.of(Item.user("two")));
      }
      assertThatThrownBy(() -> reader.list(SessionQuery.of("")))
          .isInstanceOf(ClewException.StoreUnavailable.class)
          .hasMessageContaining("changed the file");
    }
  }

  @Test
  void oneMayReadWhileAnotherWrites() throws Exception {
    Path file = folder.resolve("ours.db");
    try (SqliteStore writer = SqliteStore.open(file)) {
      writer.session("trip").addItems(List.of(Item.user("one")));
      try (SessionStore reader = Stores.open(url(file), Opening.READ)) {
        assertThat(reader.session("trip").getItems()).hasSize(1);
        writer.session("trip").addItems(List.of(Item.user("two")));
        assertThat(reader.session("trip").getItems()).hasSize(2);
      }
      writer.session("trip").addItems(List.of(Item.user("three")));
    }
  }
}
