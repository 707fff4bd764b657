package dev.clew.sqlite;

import dev.clew.SessionStore;
import dev.clew.tck.Damager;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a file. */
class SqliteFileContractTest extends StoreContract {
  @TempDir Path folder;
  private int opened;

  @Override
  protected SessionStore open(StoreOptions options) {
    opened++;
    return openFile(options);
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(openFile(options));
  }

  @Override
  protected Optional<Damager> damager(SessionStore damaged) {
    return Optional.of(
        (key, position) -> {
          try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
              var update =
                  connection.prepareStatement(
                      "UPDATE agent_messages SET message_data = '{\"spoilt' WHERE id = ?")) {
            update.setLong(1, position);
            update.executeUpdate();
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }

  private SessionStore openFile(StoreOptions options) {
    return Builders.with(SqliteStore.builder(file().toString()), options).open();
  }

  private Path file() {
    return folder.resolve("store-" + opened + ".db");
  }
}
