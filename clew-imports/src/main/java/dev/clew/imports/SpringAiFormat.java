package dev.clew.imports;

import dev.clew.Draft;
import dev.clew.Role;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The table of {@code JdbcChatMemoryRepository} of Spring AI, in a SQLite file or behind a JDBC
 * URL. Stateless.
 */
final class SpringAiFormat extends DatabaseFormat {
  private static final String TABLE = "SPRING_AI_CHAT_MEMORY";
  private static final Set<String> COLUMNS = Set.of("conversation_id", "content", "type");

  SpringAiFormat() {}

  @Override
  public String name() {
    return "spring-ai";
  }

  @Override
  public boolean recognises(String source) {
    return source.startsWith("jdbc:") || super.recognises(source);
  }

  @Override
  boolean fits(Database database) {
    return database.columns(TABLE).containsAll(COLUMNS);
  }

  @Override
  ConversationReader reader(Database database, String source, Losses losses) throws SQLException {
    if (!fits(database)) {
      throw new BadSource(
          "'" + source + "' has no table " + TABLE + " of Spring AI; nothing was written");
    }
    List<String> ids =
        database.all(
            "SELECT conversation_id FROM "
                + TABLE
                + " GROUP BY conversation_id ORDER BY max(\"timestamp\"), conversation_id",
            row -> String.valueOf(row.getString(1)));
    return new Conversations(database, source, ids, losses);
  }

  private static final class Conversations extends Reader<String> {
    private final String order;

    Conversations(Database database, String source, List<String> ids, Losses losses) {
      super(database, source, ids, losses);
      // Version 1 has no numbers; its times are a millisecond apart.
      this.order =
          database.columns(TABLE).contains("sequence_id") ? "sequence_id" : "\"timestamp\"";
    }

    @Override
    String place(String id) {
      return source + ", conversation '" + id + "'";
    }

    @Override
    Optional<Conversation> read(String id, String place) throws SQLException {
      return Optional.of(
          Conversation.of(
              "spring-ai", id, place, Optional.empty(), Optional.empty(), Map.of(), drafts(id)));
    }

    private List<Draft> drafts(String id) throws SQLException {
      Drafts drafts = new Drafts(losses);
      int[] number = {0};
      database.each(
          "SELECT content, type, \"timestamp\" FROM %s WHERE conversation_id = ? ORDER BY %s"
              .formatted(TABLE, order),
          row -> {
            add(row, place(id) + ", row " + ++number[0], drafts);
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
  }
}
