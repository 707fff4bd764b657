package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.imports.BadSource;
import dev.clew.imports.Import;
import dev.clew.imports.ImportFormats;
import dev.clew.imports.ImportListener;
import dev.clew.imports.ImportReport;
import dev.clew.imports.ImportReport.Outcome;
import dev.clew.imports.Losses;
import dev.clew.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SQLite files of the Agents SDK, made by the statements of its {@code SQLiteSession} and {@code
 * AdvancedSQLiteSession}, and of Spring AI 1, which had no sequence numbers.
 */
class ImportFromSqliteTest {
  private static final String STRUCTURE =
      "CREATE TABLE IF NOT EXISTS message_structure (id INTEGER PRIMARY KEY AUTOINCREMENT,"
          + " session_id TEXT NOT NULL, message_id INTEGER NOT NULL,"
          + " branch_id TEXT NOT NULL DEFAULT 'main', message_type TEXT NOT NULL,"
          + " sequence_number INTEGER NOT NULL, user_turn_number INTEGER,"
          + " branch_turn_number INTEGER, tool_name TEXT,"
          + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)";
  private static final String USAGE =
      "CREATE TABLE IF NOT EXISTS turn_usage (id INTEGER PRIMARY KEY AUTOINCREMENT,"
          + " session_id TEXT NOT NULL, branch_id TEXT NOT NULL DEFAULT 'main',"
          + " user_turn_number INTEGER NOT NULL, requests INTEGER DEFAULT 0,"
          + " input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0,"
          + " total_tokens INTEGER DEFAULT 0, input_tokens_details JSON,"
          + " output_tokens_details JSON, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,"
          + " UNIQUE(session_id, branch_id, user_turn_number))";

  @TempDir Path folder;
  private final MemoryStore store = new MemoryStore();

  private ImportReport run(Path file) {
    String format = ImportFormats.of(file.toString()).orElseThrow().name();
    return Import.of(ImportFormats.named(format), file.toString(), store).run(ImportListener.NONE);
  }

  private static String message(String text) {
    return "{\"role\":\"user\",\"content\":\"" + text + "\",\"n\":0.10}";
  }

  private static List<Item> items(String... texts) {
    return List.of(texts).stream().map(text -> Item.parse(message(text))).toList();
  }

  @Test
  void plainSessions_comeItemForItem() throws SQLException, IOException {
    Path file = folder.resolve("plain.db");
    String said;
    try (PythonProgram python = PythonProgram.start(file)) {
      python.addItems("s", message("one"), "{broken", message("two"));
      python.addItems("user:冯", message("other"));
      python.run("UPDATE agent_messages SET created_at = '2024-01-02 03:04:05' WHERE id = 1");
      said = python.texts("SELECT created_at FROM agent_messages WHERE id = 1").get(0);
    }
    byte[] before = Files.readAllBytes(file);
    ImportReport report = run(file);

    assertThat(report.count(Outcome.IMPORTED)).isEqualTo(2);
    assertThat(store.session("s").getItems()).isEqualTo(items("one", "two"));
    assertThat(store.session("user:冯").getItems()).isEqualTo(items("other"));
    assertThat(report.losses()).hasSize(1);
    assertThat(report.losses().get(0).places().get(0)).contains("plain.db", "id 2");
    Entry first = store.session(SessionKey.of("s")).entries(Range.first(1)).entries().get(0);
    assertThat(first.addedAt().toString()).isEqualTo(said.replace(' ', 'T') + "Z");
    assertThat(store.session("s").info().orElseThrow().createdAt()).isEqualTo(first.addedAt());
    assertThat(run(file).count(Outcome.ALREADY_THERE)).isEqualTo(2);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void tablesOfOtherNames_areFound() throws SQLException {
    Path file = folder.resolve("named.db");
    try (PythonProgram python = PythonProgram.start(file)) {
      python.addItems("s", message("one"));
      python.run("ALTER TABLE agent_messages RENAME TO my_messages");
    }
    run(file);
    assertThat(store.session("s").getItems()).isEqualTo(items("one"));
  }

  @Test
  void advancedSessions_keepTheirBranchesAndWhatWasUsed() throws SQLException {
    Path file = folder.resolve("advanced.db");
    try (PythonProgram python = PythonProgram.start(file)) {
      python.run(STRUCTURE);
      python.run(USAGE);
      python.addItems("s", message("one"), message("two"), message("three"), message("lost"));
      // The main branch in another order than the ids, and a branch that shares its beginning.
      place(python, 1, "main", 1, 1);
      place(python, 3, "main", 2, 1);
      place(python, 2, "main", 3, 2);
      place(python, 1, "what if", 1, 1);
      place(python, 2, "what if", 2, 1);
      python.run(
          "INSERT INTO turn_usage (session_id, branch_id, user_turn_number, requests,"
              + " input_tokens, output_tokens, total_tokens, input_tokens_details)"
              + " VALUES ('s', 'main', 1, 1, 100, 20, 120, '{\"cached_tokens\": 7}')");
    }
    ImportReport report = run(file);

    assertThat(report.count(Outcome.IMPORTED)).isEqualTo(2);
    assertThat(store.session("s").getItems()).isEqualTo(items("one", "three", "two"));
    assertThat(store.session("s/what if").getItems()).isEqualTo(items("one", "two"));
    Entry second = store.session(SessionKey.of("s")).entries(Range.first(2)).entries().get(1);
    assertThat(second.notes())
        .containsEntry("input_tokens", 100L)
        .containsEntry("output_tokens", 20L);
    assertThat(String.valueOf(second.notes().get("usage")))
        .contains("cached_tokens=7", "requests=1");
    assertThat(report.losses())
        .extracting(Losses.Loss::reason)
        .containsExactly("a message that belongs to no branch");
    assertThat(run(file).count(Outcome.ALREADY_THERE)).isEqualTo(2);
  }

  private static void place(
      PythonProgram python, int message, String branch, int sequence, int turn)
      throws SQLException {
    python.run(
        "INSERT INTO message_structure (session_id, message_id, branch_id, message_type,"
            + " sequence_number, user_turn_number) VALUES ('s', ?, ?, 'user', ?, ?)",
        message,
        branch,
        sequence,
        turn);
  }

  @Test
  void springAi1_isOrderedByTime() throws SQLException {
    Path file = folder.resolve("spring.db");
    try (PythonProgram python = PythonProgram.start(file)) {
      python.run("DROP TABLE agent_messages");
      python.run(
          "CREATE TABLE SPRING_AI_CHAT_MEMORY (conversation_id TEXT NOT NULL, content TEXT NOT"
              + " NULL, type TEXT NOT NULL, timestamp INTEGER NOT NULL)");
      for (Map.Entry<Integer, String> row :
          Map.of(
                  2,
                  "('c','Hi!','ASSISTANT',1700000000002)",
                  1,
                  "('c','Hello','USER',1700000000001)",
                  3,
                  "('c','','TOOL',1700000000003)",
                  4,
                  "('c','','ASSISTANT',1700000000004)")
              .entrySet()) {
        python.run("INSERT INTO SPRING_AI_CHAT_MEMORY VALUES " + row.getValue());
      }
    }
    ImportReport report = run(file);

    assertThat(store.session("c").getItems())
        .containsExactly(Item.user("Hello"), Item.assistant("Hi!"));
    Entry first = store.session(SessionKey.of("c")).entries(Range.first(1)).entries().get(0);
    assertThat(first.addedAt()).isEqualTo(Instant.parse("2023-11-14T22:13:20.001Z"));
    assertThat(report.losses()).extracting(Losses.Loss::count).containsExactly(1L, 1L);
  }

  @Test
  void otherFiles_areRefusedByName() throws IOException, SQLException {
    Path text = Files.writeString(folder.resolve("text.db"), "no database");
    assertRefused("agents-sqlite", text, "is no SQLite file");
    assertRefused("spring-ai", text, "is no SQLite file");
    assertRefused("agents-sqlite", folder.resolve("missing.db"), "there is no file");
    Path damaged = folder.resolve("damaged.db");
    Files.writeString(damaged, "SQLite format 3\0" + "x".repeat(5000));
    assertRefused("agents-sqlite", damaged, "damaged.db");
    Path ours = folder.resolve("ours.db");
    try (SqliteStore clew = SqliteStore.open(ours)) {
      clew.session("s").addItems(items("one"));
    }
    assertRefused("agents-sqlite", ours, "clew migrate");
    assertRefused("spring-ai", ours, "SPRING_AI_CHAT_MEMORY");
    assertThat(store.owners(java.util.Optional.empty(), 10)).isEmpty();
  }

  private void assertRefused(String format, Path file, String message) {
    assertThatThrownBy(
            () ->
                Import.of(ImportFormats.named(format), file.toString(), store)
                    .run(ImportListener.NONE))
        .isInstanceOf(BadSource.class)
        .hasMessageContaining(message);
    assertThat(file.getFileName().toString().equals("missing.db") && Files.exists(file)).isFalse();
  }

  @Test
  void aUrlWithoutADriver_saysWhichDriversThereAre() {
    assertThatThrownBy(
            () ->
                Import.of(
                        ImportFormats.named("spring-ai"),
                        "jdbc:mysql://h/db?password=secret",
                        store)
                    .run(ImportListener.NONE))
        .isInstanceOf(BadSource.class)
        .hasMessageContaining("no driver for 'jdbc:mysql://h/db'")
        .hasMessageNotContaining("secret");
  }
}
