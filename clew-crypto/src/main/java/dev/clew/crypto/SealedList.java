package dev.clew.crypto;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.kit.Pages;
import dev.clew.spi.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Lists sessions whose titles the wrapped store cannot read. Stateless.
 *
 * <p>A list by title, or by a part of it, reads all sessions of the owner.
 */
final class SealedList {
  private SealedList() {}

  static SessionPage page(
      Backend store, SessionQuery query, Optional<String> tag, UnaryOperator<SessionInfo> open) {
    boolean byTitle = query.order() == Order.TITLE;
    SessionQuery stored =
        new SessionQuery(
            query.owner(),
            byTitle ? Order.CREATED : query.order(),
            query.limit(),
            byTitle ? Optional.empty() : query.cursor(),
            query.archived(),
            query.pinned(),
            tag,
            query.updatedAfter(),
            query.updatedBefore(),
            Optional.empty());
    if (!byTitle && query.titleContains().isEmpty()) {
      SessionPage page = store.list(stored);
      return new SessionPage(page.sessions().stream().map(open).toList(), page.next());
    }
    // What the store has filtered already counts, whether or not a session can be opened.
    SessionQuery titles =
        new SessionQuery(
            query.owner(),
            query.order(),
            query.limit(),
            query.cursor(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            query.titleContains());
    List<SessionInfo> found = new ArrayList<>();
    SessionQuery next = stored.limit(SessionQuery.MAX_LIMIT);
    while (true) {
      SessionPage page = store.list(next);
      page.sessions().stream()
          .map(open)
          .filter(info -> Pages.matches(titles, info))
          .forEach(found::add);
      if (page.next().isEmpty() || (!byTitle && found.size() > query.limit())) {
        return Pages.of(titles, found);
      }
      next = next.cursor(page.next().get());
    }
  }
}
