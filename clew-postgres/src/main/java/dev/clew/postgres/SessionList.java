package dev.clew.postgres;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionCursor;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists sessions by key set: each page starts where the last one ended, so a page costs the same
 * however many sessions there are. Those that are pinned, archived or tagged have indexes of their
 * own. Stateless.
 */
final class SessionList {
  private SessionList() {}

  static SessionPage page(Db db, SessionQuery query, long now) throws SQLException {
    Optional<SessionCursor> cursor =
        query.cursor().map(text -> SessionCursor.decode(query.order(), text));
    if (!canMatch(query)) {
      return new SessionPage(List.of(), Optional.empty());
    }
    StringBuilder sql =
        new StringBuilder("SELECT " + SessionRow.COLUMNS + " FROM {s}.sessions s")
            .append(" WHERE s.owner = ? AND {live}");
    List<Object> values = new ArrayList<>(List.of(query.owner(), now));
    cursor.ifPresent(place -> addStart(sql, values, query.order(), place));
    addFilters(sql, values, query);
    sql.append(
        switch (query.order()) {
          case UPDATED -> " ORDER BY s.updated DESC, s.id";
          case CREATED -> " ORDER BY s.created DESC, s.id";
          // The index has the beginning of the title only: a whole one may be too long for it.
          case TITLE -> " ORDER BY left(s.title_key, 64), s.title_key, s.id";
        });
    sql.append(" LIMIT ?");
    values.add(query.limit() + 1);
    List<SessionInfo> sessions =
        db.all(sql.toString(), row -> SessionRow.read(row).info(), values.toArray());
    return Pages.first(query, sessions);
  }

  /** No title or tag has a character that PostgreSQL cannot hold. */
  private static boolean canMatch(SessionQuery query) {
    return query.tag().map(PgText::canHold).orElse(true)
        && query.titleContains().map(PgText::canHold).orElse(true);
  }

  /** Written so that the index finds the start of the page. */
  private static void addStart(
      StringBuilder sql, List<Object> values, SessionQuery.Order order, SessionCursor place) {
    String id = PgText.upToNul(place.id());
    if (order == SessionQuery.Order.TITLE) {
      String title = PgText.upToNul(place.title());
      sql.append(" AND left(s.title_key, 64) >= left(?, 64) AND (s.title_key, s.id) > (?, ?)");
      values.addAll(List.of(title, title, id));
    } else {
      String column = order == SessionQuery.Order.UPDATED ? "s.updated" : "s.created";
      sql.append(" AND " + column + " <= ? AND NOT (" + column + " = ? AND s.id <= ?)");
      values.addAll(List.of(place.millis(), place.millis(), id));
    }
  }

  private static void addFilters(StringBuilder sql, List<Object> values, SessionQuery query) {
    // As the indexes of those sessions have it.
    query
        .archived()
        .ifPresent(value -> sql.append(value ? " AND s.archived" : " AND NOT s.archived"));
    query.pinned().ifPresent(value -> sql.append(value ? " AND s.pinned" : " AND NOT s.pinned"));
    query
        .tag()
        .ifPresent(
            value -> add(sql, " AND s.tags <> '{}' AND s.tags @> ARRAY[?]::text[]", values, value));
    query
        .updatedAfter()
        .ifPresent(time -> add(sql, " AND s.updated > ?", values, time.toEpochMilli()));
    query
        .updatedBefore()
        .ifPresent(time -> add(sql, " AND s.updated < ?", values, time.toEpochMilli()));
    query
        .titleContains()
        .ifPresent(
            part ->
                add(sql, " AND strpos(s.title_key, ?) > 0", values, SessionRows.titleKey(part)));
  }

  private static void add(StringBuilder sql, String condition, List<Object> values, Object value) {
    sql.append(condition);
    values.add(value);
  }
}
