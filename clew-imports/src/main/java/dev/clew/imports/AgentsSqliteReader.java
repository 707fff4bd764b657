package dev.clew.imports;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.json.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the sessions of a SQLite file of the OpenAI Agents SDK. Not thread-safe. */
final class AgentsSqliteReader extends DatabaseFormat.Reader<AgentsSqliteReader.Branch> {
  private static final String MAIN = "main";

  private final String messages;
  private final boolean advanced;
  private final boolean hasUsage;

  /** A branch of a session; a plain session is its main branch. */
  record Branch(String session, String branch) {
    String id() {
      return branch.equals(MAIN) ? session : session + "/" + branch;
    }
  }

  /**
   * @param messages the table of messages, quoted
   */
  AgentsSqliteReader(Database database, String source, String messages, Losses losses)
      throws SQLException {
    super(database, source, branches(database, messages), losses);
    this.messages = messages;
    this.advanced = isAdvanced(database);
    this.hasUsage =
        advanced
            && database
                .columns("turn_usage")
                .containsAll(
                    Set.of(
                        "session_id",
                        "branch_id",
                        "user_turn_number",
                        "input_tokens",
                        "output_tokens"));
    if (advanced) {
      tellUnplaced();
    }
  }

  private static boolean isAdvanced(Database database) {
    return database
        .columns("message_structure")
        .containsAll(Set.of("session_id", "message_id", "branch_id", "sequence_number"));
  }

  private static List<Branch> branches(Database database, String messages) throws SQLException {
    return database.all(
        isAdvanced(database)
            ? "SELECT session_id, branch_id FROM message_structure"
                + " GROUP BY session_id, branch_id ORDER BY max(message_id)"
            : "SELECT session_id, '%s' FROM %s GROUP BY session_id ORDER BY max(id)"
                .formatted(MAIN, messages),
        row -> new Branch(String.valueOf(row.getString(1)), String.valueOf(row.getString(2))));
  }

  /** A message that no branch has is shown by no session of the SDK either. */
  private void tellUnplaced() throws SQLException {
    database.each(
        "SELECT id FROM "
            + messages
            + " WHERE id NOT IN (SELECT message_id FROM message_structure) ORDER BY id",
        row -> {
          losses.add(place(row.getLong(1)), "a message that belongs to no branch");
          return true;
        });
  }

  @Override
  String place(Branch branch) {
    return source + ", session '" + branch.id() + "'";
  }

  @Override
  Optional<Conversation> read(Branch branch, String place) throws SQLException {
    Map<String, @Nullable Object> about = new LinkedHashMap<>();
    if (!branch.branch().equals(MAIN)) {
      about.put("branch", branch.branch());
    }
    return drafts(branch, place)
        .map(
            drafts ->
                new Conversation(
                    branch.id(),
                    place,
                    Description.of(
                        "agents-sqlite",
                        branch.session(),
                        "",
                        Optional.empty(),
                        Optional.empty(),
                        about),
                    drafts));
  }

  private Optional<List<Draft>> drafts(Branch branch, String place) throws SQLException {
    List<Draft> drafts = new ArrayList<>();
    Map<Long, Integer> lastOfTurn = new HashMap<>();
    long[] chars = {0};
    String sql =
        advanced
            ? "SELECT m.id, m.message_data, m.created_at, s.user_turn_number"
                + " FROM message_structure s JOIN "
                + messages
                + " m ON m.id = s.message_id"
                + " WHERE s.session_id = ? AND s.branch_id = ? ORDER BY s.sequence_number"
            : String.format(
                "SELECT id, message_data, created_at, NULL FROM %s WHERE session_id = ? AND "
                    + "? = '%s' ORDER BY id",
                messages, MAIN);
    database.each(
        sql,
        row -> {
          add(row, drafts);
          if (!drafts.isEmpty()) {
            chars[0] += drafts.get(drafts.size() - 1).item().json().length();
            lastOfTurn.put(row.getLong(4), drafts.size() - 1);
          }
          return chars[0] <= Conversation.MOST_CHARS;
        },
        branch.session(),
        branch.branch());
    if (chars[0] > Conversation.MOST_CHARS) {
      losses.add(
          place,
          "a session of more than %s MiB; open the file as a store and use clew migrate"
              .formatted(Conversation.MOST_CHARS >> 20));
      return Optional.empty();
    }
    if (hasUsage) {
      addUsage(branch, place, drafts, lastOfTurn);
    }
    return Optional.of(drafts);
  }

  private void add(ResultSet row, List<Draft> drafts) throws SQLException {
    byte[] json = row.getBytes(2);
    try {
      Item item = Item.parse(json == null ? new byte[0] : json, ItemLimits.STORE);
      drafts.add(new Draft(item, Map.of(), time(row.getString(3))));
    } catch (ClewException.InvalidItem e) {
      losses.add(place(row.getLong(1)), "a message that is no item: " + e.getMessage());
    }
  }

  /** SQLite writes times of UTC as {@code 2026-01-31 10:00:00}. */
  private static Optional<Instant> time(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      String iso = text.replace(' ', 'T');
      return Optional.of(Instant.parse(iso.endsWith("Z") ? iso : iso + "Z"));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private String place(long id) {
    return source + ", table " + messages + ", id " + id;
  }

  /** What a turn used is noted at the last of its messages. */
  private void addUsage(
      Branch branch, String place, List<Draft> drafts, Map<Long, Integer> lastOfTurn)
      throws SQLException {
    database.each(
        "SELECT * FROM turn_usage WHERE session_id = ? AND branch_id = ? ORDER BY user_turn_number",
        row -> {
          long turn = row.getLong("user_turn_number");
          Integer last = lastOfTurn.get(turn);
          if (last == null) {
            losses.add(place + ", turn " + turn, "the usage of a turn without messages");
          } else {
            Draft draft = drafts.get(last);
            drafts.set(last, new Draft(draft.item(), usage(row), draft.addedAt()));
          }
          return true;
        },
        branch.session(),
        branch.branch());
  }

  @SuppressWarnings("NullAway") // JSON has nulls, and notes are JSON
  private static Map<String, Object> usage(ResultSet row) throws SQLException {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
      String name = row.getMetaData().getColumnName(i);
      if (!Set.of("id", "session_id", "branch_id").contains(name)) {
        all.put(name, value(row.getObject(i)));
      }
    }
    Map<String, Object> notes = new LinkedHashMap<>();
    notes.put("input_tokens", row.getLong("input_tokens"));
    notes.put("output_tokens", row.getLong("output_tokens"));
    notes.put("usage", all);
    return notes;
  }

  /** Details are JSON in a text. */
  private static @Nullable Object value(@Nullable Object column) {
    if (column instanceof String text && text.startsWith("{")) {
      try {
        return Json.read(text);
      } catch (IllegalArgumentException e) {
        return text;
      }
    }
    return column instanceof Number || column == null ? column : column.toString();
  }
}
