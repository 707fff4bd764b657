package dev.clew.crypto;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.kit.SessionCursor;
import dev.clew.spi.Backend;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lists sessions whose titles the wrapped store cannot read. Stateless.
 *
 * <p>What needs no title is the store's own list. A part of a title is looked for in page after
 * page, and an order by title is made of all sessions of the owner: that costs what she has.
 */
final class SealedList {
  private SealedList() {}

  static SessionPage page(
      Backend store, SessionQuery query, Optional<String> tag, UnaryOperator<SessionInfo> open) {
    SessionQuery hidden =
        new SessionQuery(
            query.owner(),
            query.order(),
            query.limit(),
            query.cursor(),
            query.archived(),
            query.pinned(),
            tag,
            query.updatedAfter(),
            query.updatedBefore(),
            Optional.empty());
    if (query.order() == Order.TITLE) {
      return byTitle(store, query, hidden, open);
    }
    if (query.titleContains().isPresent()) {
      return withTitle(store, query, hidden, open);
    }
    SessionPage page = store.list(hidden);
    return new SessionPage(page.sessions().stream().map(open).toList(), page.next());
  }

  private static SessionPage withTitle(
      Backend store, SessionQuery query, SessionQuery hidden, UnaryOperator<SessionInfo> open) {
    List<SessionInfo> found = new ArrayList<>();
    SessionQuery next = hidden.limit(SessionQuery.MAX_LIMIT);
    while (true) {
      SessionPage page = store.list(next);
      for (SessionInfo sealed : page.sessions()) {
        SessionInfo info = open.apply(sealed);
        if (matches(query, info)) {
          if (found.size() == query.limit()) {
            return new SessionPage(found, Optional.of(cursor(query, found)));
          }
          found.add(info);
        }
      }
      if (page.next().isEmpty()) {
        return new SessionPage(found, Optional.empty());
      }
      next = next.cursor(page.next().get());
    }
  }

  private static SessionPage byTitle(
      Backend store, SessionQuery query, SessionQuery hidden, UnaryOperator<SessionInfo> open) {
    Optional<SessionCursor> after =
        query.cursor().map(text -> SessionCursor.decode(Order.TITLE, text));
    List<SessionInfo> found = new ArrayList<>();
    SessionQuery every =
        new SessionQuery(
            hidden.owner(),
            Order.CREATED,
            SessionQuery.MAX_LIMIT,
            Optional.empty(),
            hidden.archived(),
            hidden.pinned(),
            hidden.tag(),
            hidden.updatedAfter(),
            hidden.updatedBefore(),
            Optional.empty());
    Optional<String> next = Optional.of("");
    while (next.isPresent()) {
      SessionPage page = store.list(every);
      for (SessionInfo sealed : page.sessions()) {
        SessionInfo info = open.apply(sealed);
        boolean isLater = after.map(place -> place(info).compareTo(place) > 0).orElse(true);
        if (isLater && matches(query, info)) {
          found.add(info);
        }
      }
      next = page.next();
      every = next.map(every::cursor).orElse(every);
    }
    found.sort(Comparator.comparing(SealedList::place));
    if (found.size() <= query.limit()) {
      return new SessionPage(found, Optional.empty());
    }
    List<SessionInfo> first = found.subList(0, query.limit());
    return new SessionPage(first, Optional.of(cursor(query, first)));
  }

  private static SessionCursor place(SessionInfo info) {
    return SessionCursor.of(Order.TITLE, info);
  }

  private static String cursor(SessionQuery query, List<SessionInfo> page) {
    return SessionCursor.of(query.order(), page.get(page.size() - 1)).encode();
  }

  private static boolean matches(SessionQuery query, SessionInfo info) {
    return query
        .titleContains()
        .map(part -> lower(info.title()).contains(lower(part)))
        .orElse(true);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
