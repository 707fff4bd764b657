package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Item;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the SDK's {@code AdvancedSQLiteSession}, which keeps branches of a conversation. */
class SqliteImportTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void makeFile() throws SQLException {
    file = folder.resolve("advanced.db");
    try (PythonProgram python = PythonProgram.start(file)) {
      python.run(
          "CREATE TABLE IF NOT EXISTS message_structure (id INTEGER PRIMARY KEY AUTOINCREMENT,"
              + " session_id TEXT NOT NULL, message_id INTEGER NOT NULL,"
              + " branch_id TEXT NOT NULL DEFAULT 'main', message_type TEXT NOT NULL,"
              + " sequence_number INTEGER NOT NULL, user_turn_number INTEGER,"
              + " branch_turn_number INTEGER, tool_name TEXT,"
              + " created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)");
      python.addItems("s", message("one"), message("two"), message("three"), "{broken");
      python.addItems("t", message("other"));
      // The main branch in another order than the ids, and a branch that shares its beginning.
      place(python, "s", 1, "main", 1);
      place(python, "s", 3, "main", 2);
      place(python, "s", 2, "main", 3);
      place(python, "s", 4, "main", 4);
      place(python, "s", 1, "what if", 1);
      place(python, "s", 2, "what if", 2);
      place(python, "t", 5, "main", 1);
    }
  }

  private static void place(
      PythonProgram python, String session, int message, String branch, int sequence)
      throws SQLException {
    python.run(
        "INSERT INTO message_structure (session_id, message_id, branch_id, message_type,"
            + " sequence_number) VALUES (?, ?, ?, 'user', ?)",
        session,
        message,
        branch,
        sequence);
  }

  private static String message(String text) {
    return "{\"role\":\"user\",\"content\":\"" + text + "\"}";
  }

  private static List<Item> items(String... texts) {
    return List.of(texts).stream().map(text -> Item.parse(message(text))).toList();
  }

  @Test
  void everyBranchBecomesASessionAndNothingIsAddedTwice() {
    try (SqliteStore store = SqliteStore.open(folder.resolve("target.db"))) {
      SqliteImport.Report report = SqliteImport.advanced(file, store);
      assertThat(report).isEqualTo(new SqliteImport.Report(3, 6, 1));
      SqliteImport.advanced(file, store);

      assertThat(store.session("s").getItems()).isEqualTo(items("one", "three", "two"));
      assertThat(store.session("s/what if").getItems()).isEqualTo(items("one", "two"));
      assertThat(store.session("t").getItems()).isEqualTo(items("other"));
    }
  }

  @Test
  void theFileIsOnlyRead() throws IOException {
    byte[] before = Files.readAllBytes(file);
    try (SqliteStore store = SqliteStore.open(":memory:")) {
      SqliteImport.advanced(file, store);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aFileThatIsMissingOrOfAnotherKindIsRefusedByName() throws IOException {
    Path missing = folder.resolve("missing.db");
    Path text = Files.writeString(folder.resolve("text"), "no database at all ".repeat(100));
    try (SqliteStore store = SqliteStore.open(":memory:")) {
      for (Path path : List.of(missing, text, folder)) {
        assertThatThrownBy(() -> SqliteImport.advanced(path, store))
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageContaining(path.toString());
      }
    }
    assertThat(missing).doesNotExist();
  }
}
