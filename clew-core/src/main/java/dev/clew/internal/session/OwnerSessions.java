package dev.clew.internal.session;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.internal.SessionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one owner, by id and in every order they can be listed in. Not thread-safe: used
 * under a lock.
 */
public final class OwnerSessions<T extends Listed> {
  private final Map<String, T> byId = new HashMap<>();
  private final Map<Order, NavigableMap<SessionCursor, T>> orders = new EnumMap<>(Order.class);

  /** Without any session. */
  public OwnerSessions() {
    for (Order order : Order.values()) {
      orders.put(order, new TreeMap<>());
    }
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return byId.isEmpty();
  }

  /** The session of that id. */
  public @Nullable T get(String id) {
    return byId.get(id);
  }

  /** Adds a session whose id is not here. */
  public void add(T session) {
    byId.put(session.key().id(), session);
    orders.forEach((order, places) -> places.put(session.place(order), session));
  }

  /** Takes out a session that has not changed since it was added, or was moved since. */
  public void remove(T session) {
    byId.remove(session.key().id());
    orders.forEach((order, places) -> places.remove(session.place(order)));
  }

  /** Moves a session whose time or title was another until now. */
  public void move(T session, Instant updatedBefore, String titleBefore) {
    for (Order order : Order.values()) {
      SessionCursor before =
          SessionCursor.of(
              order, session.createdAt(), updatedBefore, titleBefore, session.key().id());
      SessionCursor after = session.place(order);
      if (!after.equals(before)) {
        places(order).remove(before);
        places(order).put(after, session);
      }
    }
  }

  /** All of them, newest-updated first. */
  public Collection<T> all() {
    return places(Order.UPDATED).values();
  }

  /** Any of them. */
  public T any() {
    return byId.values().iterator().next();
  }

  /** One page of those that a query asks for. */
  public SessionPage page(SessionQuery query, Predicate<T> live, Function<T, SessionInfo> info) {
    Iterator<T> found = list(query);
    List<SessionInfo> page = new ArrayList<>();
    Optional<String> next = Optional.empty();
    T last = null;
    while (found.hasNext() && next.isEmpty()) {
      T session = found.next();
      if (!live.test(session)) {
        continue;
      }
      if (last != null && page.size() == query.limit()) {
        next = Optional.of(last.place(query.order()).encode());
      } else {
        page.add(info.apply(session));
        last = session;
      }
    }
    return new SessionPage(page, next);
  }

  private Iterator<T> list(SessionQuery query) {
    NavigableMap<SessionCursor, T> places = places(query.order());
    if (query.cursor().isPresent()) {
      SessionCursor cursor = SessionCursor.decode(query.order(), query.cursor().get());
      places = places.tailMap(cursor, false);
    }
    return places.values().stream().filter(matching(query)).iterator();
  }

  private NavigableMap<SessionCursor, T> places(Order order) {
    NavigableMap<SessionCursor, T> places = orders.get(order);
    if (places == null) {
      throw new IllegalStateException("no index for " + order);
    }
    return places;
  }

  private Predicate<T> matching(SessionQuery query) {
    String title = query.titleContains().orElse("").toLowerCase(Locale.ROOT);
    return session -> {
      Description said = session.description();
      return query.archived().map(wanted -> wanted == said.archived()).orElse(true)
          && query.tag().map(said.tags()::contains).orElse(true)
          && query.updatedAfter().map(session.updatedAt()::isAfter).orElse(true)
          && query.updatedBefore().map(session.updatedAt()::isBefore).orElse(true)
          && said.title().toLowerCase(Locale.ROOT).contains(title);
    };
  }
}
