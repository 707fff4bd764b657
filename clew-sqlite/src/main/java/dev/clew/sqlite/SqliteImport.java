package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.HistoryTransaction;
import dev.clew.Item;
import dev.clew.SessionStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;

/**
 * Copies sessions out of SQLite files that Clew does not share. Stateless and thread-safe.
 *
 * <p>{@code AdvancedSQLiteSession} of the Agents SDK keeps several branches of a conversation in
 * the message table and their order in a table of its own, so a plain session on the same file
 * would mix the branches up.
 */
public final class SqliteImport {
  private static final String MAIN = "main";
  private static final int BATCH = 500;

  private SqliteImport() {}

  /**
   * What was copied.
   *
   * @param sessions how many sessions were written
   * @param items how many items
   * @param unreadable how many rows were left out because they are no JSON objects
   */
  public record Report(int sessions, int items, int unreadable) {}

  private record Branch(String sessionId, String branchId) {
    String target() {
      return branchId.equals(MAIN) ? sessionId : sessionId + "/" + branchId;
    }
  }

  /**
   * Copies every branch of every session of a file that {@code AdvancedSQLiteSession} wrote. The
   * main branch keeps the session's id, another one becomes {@code id/branch}. The file is only
   * read. Copying again adds nothing twice.
   */
  public static Report advanced(Path file, SessionStore target) {
    SqliteErrors errors = new SqliteErrors("SQLite file " + file);
    if (!Files.isRegularFile(file)) {
      throw new ClewException.StoreUnavailable(
          errors.where() + ": there is no such file; check the path", null, false);
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    try (Connection connection = config.createConnection("jdbc:sqlite:" + file);
        Db db = new Db(connection, Names.DEFAULT, new BusyWait(Duration.ZERO))) {
      int items = 0;
      int unreadable = 0;
      List<Branch> branches =
          db.all(
              "SELECT DISTINCT session_id, branch_id FROM message_structure ORDER BY 1, 2",
              row -> new Branch(row.getString(1), row.getString(2)));
      for (Branch branch : branches) {
        List<Item> readable = new ArrayList<>();
        unreadable += read(db, branch, readable);
        items += readable.size();
        write(target, branch, readable);
      }
      return new Report(branches.size(), items, unreadable);
    } catch (SQLException e) {
      throw errors.unavailable(e);
    }
  }

  private static int read(Db db, Branch branch, List<Item> readable) throws SQLException {
    int unreadable = 0;
    for (byte[] text :
        db.all(
            "SELECT m.message_data FROM message_structure s"
                + " JOIN {messages} m ON m.id = s.message_id"
                + " WHERE s.session_id = ? AND s.branch_id = ? ORDER BY s.sequence_number",
            row -> row.getBytes(1),
            branch.sessionId(),
            branch.branchId())) {
      Item item = Rows.item(text, Rows.NO_CRC);
      if (item == null) {
        unreadable++;
      } else {
        readable.add(item);
      }
    }
    return unreadable;
  }

  private static void write(SessionStore target, Branch branch, List<Item> items) {
    for (int from = 0; from < items.size(); from += BATCH) {
      List<Item> batch = items.subList(from, Math.min(items.size(), from + BATCH));
      target
          .session(branch.target())
          .apply(HistoryTransaction.append(batch).operationId("import-advanced-" + from));
    }
  }
}
