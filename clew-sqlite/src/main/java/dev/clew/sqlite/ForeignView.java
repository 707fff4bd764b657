package dev.clew.sqlite;

import java.util.ArrayList;
import java.util.List;

/**
 * Shows the tables of another program as if they had our columns, and ours as empty, in one
 * connection and without a change of the file. Stateless.
 *
 * <p>What is temporary comes before what is in the file where a statement names it without more, so
 * all our statements that read work as they are. They find the sessions without our indexes.
 */
final class ForeignView {
  private static final String MESSAGES =
      "CREATE TEMP VIEW {messages} AS SELECT id, session_id, message_data, created_at,"
          + " NULL AS clew_crc, NULL AS clew_added, NULL AS clew_notes, NULL AS clew_item_id"
          + " FROM main.{messages}";

  /** As {@link Schema} adopts them. Messages without a session make one. */
  private static final String SESSIONS =
      "CREATE TEMP VIEW {sessions} AS SELECT session_id, created_at, updated_at,"
          + ofMessages("coalesce(max(id), 1)", "clew_version")
          + ofMessages("count(*)", "clew_count")
          + ofMessages("coalesce(sum(length(CAST(message_data AS BLOB))), 0)", "clew_bytes")
          + millis("created_at", "clew_created")
          + millis("updated_at", "clew_updated")
          + " '' AS clew_title, '' AS clew_title_key, NULL AS clew_metadata, NULL AS clew_tags,"
          + " 0 AS clew_archived, 0 AS clew_pinned, NULL AS clew_ttl, NULL AS clew_parent,"
          + " NULL AS clew_parent_position, "
          + Schema.OWNER
          + " AS clew_owner, NULL AS clew_packed FROM (SELECT session_id, created_at, updated_at FROM main.{sessions}"
          + " UNION ALL SELECT DISTINCT session_id, NULL, NULL FROM main.{messages}"
          + " WHERE session_id NOT IN (SELECT session_id FROM main.{sessions})) AS s";

  private ForeignView() {}

  private static String ofMessages(String value, String name) {
    return " (SELECT "
        + value
        + " FROM main.{messages} m WHERE m.session_id = s.session_id) AS "
        + name
        + ",";
  }

  private static String millis(String column, String name) {
    return " coalesce(strftime('%s', "
        + column
        + ") * 1000, "
        + Schema.NOW_MS
        + ") AS "
        + name
        + ",";
  }

  /** The statements that make it. */
  static List<String> statements() {
    List<String> statements = new ArrayList<>(List.of(MESSAGES, SESSIONS));
    for (String table : Schema.OUR_TABLES) {
      if (table.startsWith("CREATE TABLE ")) {
        statements.add(table.replaceFirst("CREATE TABLE ", "CREATE TEMP TABLE "));
      }
    }
    return statements;
  }
}
