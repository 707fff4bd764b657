package dev.clew.imports;

import dev.clew.Draft;
import dev.clew.Role;
import dev.clew.SessionUpdate;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The table of {@code JdbcChatMemoryRepository} of Spring AI, in a SQLite file or behind a JDBC
 * URL. Stateless.
 */
final class SpringAiFormat implements ImportFormat {
  private static final String TABLE = "SPRING_AI_CHAT_MEMORY";
  private static final Set<String> COLUMNS = Set.of("conversation_id", "content", "type");

  SpringAiFormat() {}

  @Override
  public String name() {
    return "spring-ai";
  }

  @Override
  public String sources() {
    return "a JDBC URL, or a SQLite file, with the table SPRING_AI_CHAT_MEMORY";
  }

  @Override
  public boolean recognises(String source) {
    if (source.startsWith("jdbc:")) {
      return true;
    }
    if (!Database.isSqliteFile(source)) {
      return false;
    }
    try (Database database = Database.open(source)) {
      return database.columns(TABLE).containsAll(COLUMNS);
    } catch (SQLException | BadSource e) {
      return false;
    }
  }

  @Override
  public ConversationReader open(String source, Losses losses) throws IOException {
    String shown = Database.withoutSettings(source);
    try {
      Database database = Database.open(source);
      try {
        return new Reader(database, shown, losses);
      } catch (SQLException | RuntimeException e) {
        database.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new BadSource("'" + shown + "' cannot be read: " + e.getMessage());
    }
  }

  private static final class Reader implements ConversationReader {
    private final Database database;
    private final String source;
    private final Losses losses;
    private final String order;
    private final List<String> ids;
    private final Iterator<String> rest;
    private long done;

    Reader(Database database, String source, Losses losses) throws SQLException {
      this.database = database;
      this.source = source;
      this.losses = losses;
      Set<String> columns = database.columns(TABLE);
      if (!columns.containsAll(COLUMNS)) {
        throw new BadSource(
            "'" + source + "' has no table " + TABLE + " of Spring AI; nothing was written");
      }
      // Version 1 has no numbers; its times are a millisecond apart.
      this.order = columns.contains("sequence_id") ? "sequence_id" : "\"timestamp\"";
      this.ids =
          database.all(
              "SELECT conversation_id FROM "
                  + TABLE
                  + " GROUP BY conversation_id ORDER BY max(\"timestamp\"), conversation_id",
              row -> String.valueOf(row.getString(1)));
      this.rest = ids.iterator();
    }

    @Override
    public Optional<Conversation> next() throws IOException {
      if (!rest.hasNext()) {
        return Optional.empty();
      }
      String id = rest.next();
      done++;
      losses.nextConversation();
      SessionUpdate description =
          Description.of("spring-ai", id, "", Optional.empty(), Optional.empty(), Map.of());
      try {
        return Optional.of(
            new Conversation(id, source + ", conversation '" + id + "'", description, drafts(id)));
      } catch (SQLException e) {
        throw new BadSource("'" + source + "', conversation '" + id + "': " + e.getMessage());
      }
    }

    private List<Draft> drafts(String id) throws SQLException {
      Drafts drafts = new Drafts(losses);
      int[] number = {0};
      database.each(
          "SELECT content, type, \"timestamp\" FROM "
              + TABLE
              + " WHERE conversation_id = ? ORDER BY "
              + order,
          row -> {
            add(row, source + ", conversation '" + id + "', row " + ++number[0], drafts);
            return true;
          },
          id);
      return drafts.all();
    }

    private void add(ResultSet row, String place, Drafts drafts) throws SQLException {
      String text = row.getString(1);
      String type = String.valueOf(row.getString(2)).toLowerCase(Locale.ROOT);
      Optional<Role> role = Role.of(type);
      if (role.isEmpty()) {
        losses.add(place, "a message of the type " + type + ", of which Spring AI keeps nothing");
        return;
      }
      if (text == null || text.isEmpty()) {
        losses.add(place, "a message without text; Spring AI does not keep calls of tools");
        return;
      }
      Drafts.message(role.get(), List.of(Drafts.text(role.get(), text)))
          .ifPresent(item -> drafts.add(place, item.toString(), time(row), Map.of()));
    }

    private static Optional<Instant> time(ResultSet row) {
      try {
        Timestamp time = row.getTimestamp(3);
        return time == null ? Optional.empty() : Optional.of(time.toInstant());
      } catch (SQLException e) {
        return Optional.empty();
      }
    }

    @Override
    public long read() {
      return done;
    }

    @Override
    public long size() {
      return ids.size();
    }

    @Override
    public void close() throws IOException {
      try {
        database.close();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
  }
}
