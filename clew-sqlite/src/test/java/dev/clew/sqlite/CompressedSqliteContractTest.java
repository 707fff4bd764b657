package dev.clew.sqlite;

import dev.clew.SessionStore;
import dev.clew.tck.CompressedContract;
import dev.clew.tck.Damager;
import dev.clew.tck.StoreOptions;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The rules about histories on a file every session of which is compressed. */
class CompressedSqliteContractTest extends CompressedContract {
  @TempDir Path folder;
  private int opened;

  @Override
  protected SessionStore openPlain(StoreOptions options) {
    opened++;
    return reopenPlain(options);
  }

  /** Without what is kept in memory, which is not compressed. */
  @Override
  protected SessionStore reopenPlain(StoreOptions options) {
    SqliteStore.Builder builder = SqliteStore.builder(file().toString()).cacheBytes(0);
    return Builders.with(builder, options).open();
  }

  private Path file() {
    return folder.resolve("store-" + opened + ".db");
  }

  /** Behind the back of the triggers too, as a bad disk is. */
  @Override
  protected Optional<Damager> damager(SessionStore damaged) {
    return Optional.of(
        (key, position) -> {
          try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
              var statement = connection.createStatement()) {
            statement.execute("DROP TRIGGER IF EXISTS clew_packed_edit");
            statement.execute("DROP TRIGGER IF EXISTS clew_foreign_edit");
            statement.execute(
                "UPDATE agent_messages SET message_data = X'3938ff0001' WHERE id = " + position);
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }
}
