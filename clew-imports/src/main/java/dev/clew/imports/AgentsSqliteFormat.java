package dev.clew.imports;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * SQLite files of the OpenAI Agents SDK: of {@code SQLiteSession}, whatever its tables are called,
 * and of {@code AdvancedSQLiteSession} with branches and usage. Stateless.
 */
final class AgentsSqliteFormat extends DatabaseFormat {
  private static final String MESSAGES = "agent_messages";

  AgentsSqliteFormat() {}

  @Override
  public String name() {
    return "agents-sqlite";
  }

  @Override
  boolean fits(Database database) throws SQLException {
    return table(database).isPresent();
  }

  @Override
  ConversationReader reader(Database database, String source, Losses losses) throws SQLException {
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
    return new AgentsSqliteReader(database, source, Database.quoted(table), losses);
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
