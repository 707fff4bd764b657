package dev.clew.postgres;

import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionCursor;
import dev.clew.kit.sql.Where;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Lists sessions by keyset: each page starts where the previous one ended, so every page costs the
 * same. Pinned, archived and tagged sessions have indexes of their own. Stateless.
 */
final class SessionList {
  private SessionList() {}

  static SessionPage page(Db db, SessionQuery wanted, long now) throws SQLException {
    Optional<SessionCursor> cursor =
        wanted.cursor().map(text -> SessionCursor.decode(wanted.order(), text));
    if (!canMatch(wanted)) {
      return new SessionPage(List.of(), Optional.empty());
    }
    Where query =
        new Where(
            "SELECT " + SessionRow.COLUMNS + " FROM {s}.sessions s WHERE s.owner = ? AND {live}",
            wanted.owner(),
            now);
    cursor.ifPresent(place -> addStart(query, wanted.order(), place));
    // As in the conditions of the indexes.
    wanted.archived().ifPresent(value -> query.and(value ? "s.archived" : "NOT s.archived"));
    wanted.pinned().ifPresent(value -> query.and(value ? "s.pinned" : "NOT s.pinned"));
    query
        .and(wanted.tag(), "s.tags <> '{}' AND s.tags @> ARRAY[?]::text[]")
        .and(wanted.updatedAfter().map(Instant::toEpochMilli), "s.updated > ?")
        .and(wanted.updatedBefore().map(Instant::toEpochMilli), "s.updated < ?")
        .and(wanted.titleContains().map(Pages::titleKey), "strpos(s.title_key, ?) > 0")
        .then(
            switch (wanted.order()) {
              case UPDATED -> "ORDER BY s.updated DESC, s.id";
              case CREATED -> "ORDER BY s.created DESC, s.id";
              // The index has only the start of the title: a whole one may be too long for it.
              case TITLE -> "ORDER BY left(s.title_key, 64), s.title_key, s.id";
            })
        .then("LIMIT ?", wanted.limit() + 1);
    return Pages.first(
        wanted, db.all(query.sql(), row -> SessionRow.read(row).info(), query.values()));
  }

  /** No title or tag has a character that PostgreSQL cannot hold. */
  private static boolean canMatch(SessionQuery query) {
    return query.tag().map(PgText::canHold).orElse(true)
        && query.titleContains().map(PgText::canHold).orElse(true);
  }

  /** Written so that the index finds the start of the page. */
  private static void addStart(Where query, SessionQuery.Order order, SessionCursor place) {
    String id = PgText.upToNul(place.id());
    if (order == SessionQuery.Order.TITLE) {
      String title = PgText.upToNul(place.title());
      query
          .and("left(s.title_key, 64) >= left(?, 64)", title)
          .and("(s.title_key, s.id) > (?, ?)", title, id);
    } else {
      String column = order == SessionQuery.Order.UPDATED ? "s.updated" : "s.created";
      query
          .and(column + " <= ?", place.millis())
          .and("NOT (" + column + " = ? AND s.id <= ?)", place.millis(), id);
    }
  }
}
