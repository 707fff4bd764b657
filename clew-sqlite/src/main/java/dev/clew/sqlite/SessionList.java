package dev.clew.sqlite;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionCursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists sessions by key set: each page starts where the last one ended, so a page costs the same
 * however many sessions there are. Those that are pinned, archived or tagged have indexes of their
 * own. Stateless.
 */
final class SessionList {
  private SessionList() {}

  static SessionPage page(Db db, SessionQuery query, long now) throws SQLException {
    String column =
        switch (query.order()) {
          case UPDATED -> "clew_updated";
          case CREATED -> "clew_created";
          case TITLE -> "clew_title_key";
        };
    boolean byTitle = query.order() == SessionQuery.Order.TITLE;
    boolean few =
        query.tag().isPresent() || query.pinned().orElse(false) || query.archived().orElse(false);
    if (few && query.order() != SessionQuery.Order.UPDATED) {
      // With the plus their own index is used and sorted, not one of all sessions gone through.
      column = "+" + column;
    }
    StringBuilder sql =
        new StringBuilder("SELECT " + SessionRow.COLUMNS + " FROM {sessions}")
            .append(" WHERE clew_owner = ? AND {live}");
    List<Object> values = new ArrayList<>(List.of(KeyText.owner(query.owner()), now));
    if (query.cursor().isPresent()) {
      SessionCursor cursor = SessionCursor.decode(query.order(), query.cursor().get());
      Object value = byTitle ? cursor.title() : (Object) cursor.millis();
      String id = KeyText.of(new SessionKey(query.owner(), cursor.id()));
      // Written so that the index finds the start of the page.
      sql.append(" AND " + column + (byTitle ? " >= ?" : " <= ?"))
          .append(" AND NOT (" + column + " = ? AND session_id <= ?)");
      values.addAll(List.of(value, value, id));
    }
    query
        .archived()
        .ifPresent(
            // As a number, so that the index of those is used.
            archived -> sql.append(" AND clew_archived = " + (archived ? 1 : 0)));
    query.pinned().ifPresent(pinned -> sql.append(" AND clew_pinned = " + (pinned ? 1 : 0)));
    query
        .tag()
        .ifPresent(
            tag -> {
              sql.append(" AND clew_tags IS NOT NULL AND instr(clew_tags, ?) > 0");
              values.add("\n" + tag + "\n");
            });
    query
        .updatedAfter()
        .ifPresent(
            time -> {
              sql.append(" AND clew_updated > ?");
              values.add(time.toEpochMilli());
            });
    query
        .updatedBefore()
        .ifPresent(
            time -> {
              sql.append(" AND clew_updated < ?");
              values.add(time.toEpochMilli());
            });
    query
        .titleContains()
        .ifPresent(
            part -> {
              sql.append(" AND instr(clew_title_key, ?) > 0");
              values.add(SessionRows.titleKey(part));
            });
    sql.append(" ORDER BY " + column + (byTitle ? "" : " DESC") + ", session_id");

    List<SessionInfo> sessions = new ArrayList<>();
    try (ResultSet rows = db.bind(sql.toString(), values.toArray()).executeQuery()) {
      // Ids of other programs that are no session keys are passed over, so there is no SQL limit.
      while (sessions.size() <= query.limit() && rows.next()) {
        SessionRow.read(rows).info().ifPresent(sessions::add);
      }
    }
    return Pages.first(query, sessions);
  }
}
