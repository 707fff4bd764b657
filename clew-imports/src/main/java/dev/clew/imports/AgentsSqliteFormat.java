package dev.clew.imports;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * SQLite files of the OpenAI Agents SDK: of {@code SQLiteSession}, whatever its tables are called,
 * and of {@code AdvancedSQLiteSession} with branches and usage. Stateless.
 */
final class AgentsSqliteFormat implements ImportFormat {
  private static final String MESSAGES = "agent_messages";

  AgentsSqliteFormat() {}

  @Override
  public String name() {
    return "agents-sqlite";
  }

  @Override
  public String sources() {
    return "a SQLite file of the OpenAI Agents SDK, plain or advanced";
  }

  @Override
  public boolean recognises(String source) {
    if (!Database.isSqliteFile(source)) {
      return false;
    }
    try (Database database = Database.open(source)) {
      return table(database).isPresent();
    } catch (SQLException | BadSource e) {
      return false;
    }
  }

  @Override
  public ConversationReader open(String source, Losses losses) throws IOException {
    try {
      Database database = Database.open(source);
      try {
        return new AgentsSqliteReader(database, source, messages(database, source), losses);
      } catch (SQLException | RuntimeException e) {
        database.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new BadSource(
          "'" + Database.withoutSettings(source) + "' cannot be read: " + e.getMessage());
    }
  }

  private static String messages(Database database, String source) throws SQLException {
    String table =
        table(database)
            .orElseThrow(
                () ->
                    new BadSource(
                        "'"
                            + source
                            + "' has no table with the columns session_id and message_data;"
                            + " nothing was written"));
    if (database.columns(table).contains("clew_crc")) {
      throw new BadSource(
          "'" + source + "' is a store of Clew; use clew migrate --from sqlite:" + source);
    }
    return table;
  }

  /** The table of messages: that of the usual name, else one that has its columns. */
  private static Optional<String> table(Database database) throws SQLException {
    List<String> names = new ArrayList<>(List.of(MESSAGES));
    names.addAll(
        database.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
            row -> row.getString(1)));
    return names.stream()
        .filter(
            name -> database.columns(name).containsAll(Set.of("id", "session_id", "message_data")))
        .findFirst();
  }
}
