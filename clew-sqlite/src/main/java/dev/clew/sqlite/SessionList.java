package dev.clew.sqlite;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionCursor;
import dev.clew.kit.sql.Where;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists sessions by keyset: each page starts where the previous one ended, so every page costs the
 * same. Pinned, archived and tagged sessions have indexes of their own. Stateless.
 */
final class SessionList {
  private SessionList() {}

  static SessionPage page(Db db, SessionQuery wanted, long now) throws SQLException {
    String column =
        switch (wanted.order()) {
          case UPDATED -> "clew_updated";
          case CREATED -> "clew_created";
          case TITLE -> "clew_title_key";
        };
    boolean byTitle = wanted.order() == SessionQuery.Order.TITLE;
    boolean few =
        wanted.tag().isPresent()
            || wanted.pinned().orElse(false)
            || wanted.archived().orElse(false);
    if (few && wanted.order() != SessionQuery.Order.UPDATED) {
      // The plus makes SQLite use their own index and sort, instead of scanning all sessions.
      column = "+" + column;
    }
    Where query =
        new Where(
            "SELECT " + SessionRow.COLUMNS + " FROM {sessions} WHERE clew_owner = ? AND {live}",
            KeyText.owner(wanted.owner()),
            now);
    if (wanted.cursor().isPresent()) {
      SessionCursor cursor = SessionCursor.decode(wanted.order(), wanted.cursor().get());
      Object value = byTitle ? cursor.title() : (Object) cursor.millis();
      String id = KeyText.of(new SessionKey(wanted.owner(), cursor.id()));
      // Written so that the index finds the start of the page.
      query
          .and(column + (byTitle ? " >= ?" : " <= ?"), value)
          .and("NOT (" + column + " = ? AND session_id <= ?)", value, id);
    }
    // As a number, so that the index of those sessions is used.
    wanted.archived().ifPresent(archived -> query.and("clew_archived = " + (archived ? 1 : 0)));
    wanted.pinned().ifPresent(pinned -> query.and("clew_pinned = " + (pinned ? 1 : 0)));
    query
        .and(
            wanted.tag().map(tag -> "\n" + tag + "\n"),
            "clew_tags IS NOT NULL AND instr(clew_tags, ?) > 0")
        .and(wanted.updatedAfter().map(Instant::toEpochMilli), "clew_updated > ?")
        .and(wanted.updatedBefore().map(Instant::toEpochMilli), "clew_updated < ?")
        .and(wanted.titleContains().map(Pages::titleKey), "instr(clew_title_key, ?) > 0")
        .then("ORDER BY " + column + (byTitle ? "" : " DESC") + ", session_id");
    List<SessionInfo> sessions = new ArrayList<>();
    // Ids of other programs that are no session keys are skipped, so there is no SQL limit.
    db.each(
        () -> sessions.size() > wanted.limit(),
        query.sql(),
        row -> SessionRow.read(row).info().ifPresent(sessions::add),
        query.values());
    return Pages.first(wanted, sessions);
  }
}
