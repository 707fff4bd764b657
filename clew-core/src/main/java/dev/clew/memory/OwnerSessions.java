package dev.clew.memory;

import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.internal.SessionCursor;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one owner, by id and in every order they can be listed in. Not thread-safe: used
 * under {@link Guard}.
 */
final class OwnerSessions {
  private final Map<String, SessionState> byId = new HashMap<>();
  private final Map<Order, NavigableMap<SessionCursor, SessionState>> orders =
      new EnumMap<>(Order.class);

  OwnerSessions() {
    for (Order order : Order.values()) {
      orders.put(order, new TreeMap<>());
    }
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }

  @Nullable SessionState get(String id) {
    return byId.get(id);
  }

  void add(SessionState state) {
    byId.put(state.key.id(), state);
    orders.forEach((order, places) -> places.put(state.place(order), state));
  }

  void remove(SessionState state) {
    byId.remove(state.key.id());
    orders.forEach((order, places) -> places.remove(state.place(order)));
  }

  /** Changes what a session is listed by. */
  void move(SessionState state, Order order, Runnable change) {
    SessionCursor before = state.place(order);
    change.run();
    SessionCursor after = state.place(order);
    if (!after.equals(before)) {
      NavigableMap<SessionCursor, SessionState> places = places(order);
      places.remove(before);
      places.put(after, state);
    }
  }

  /** All of them, newest-updated first. */
  Collection<SessionState> all() {
    return places(Order.UPDATED).values();
  }

  /** Any of them. */
  SessionState any() {
    return byId.values().iterator().next();
  }

  /** Those that a query asks for, from its cursor on, without regard to its limit. */
  Iterator<SessionState> list(SessionQuery query) {
    NavigableMap<SessionCursor, SessionState> places = places(query.order());
    if (query.cursor().isPresent()) {
      SessionCursor cursor = SessionCursor.decode(query.order(), query.cursor().get());
      places = places.tailMap(cursor, false);
    }
    return places.values().stream().filter(matching(query)).iterator();
  }

  private NavigableMap<SessionCursor, SessionState> places(Order order) {
    NavigableMap<SessionCursor, SessionState> places = orders.get(order);
    if (places == null) {
      throw new IllegalStateException("no index for " + order);
    }
    return places;
  }

  private static Predicate<SessionState> matching(SessionQuery query) {
    String title = query.titleContains().orElse("").toLowerCase(Locale.ROOT);
    return state -> {
      Description said = state.description;
      return query.archived().map(wanted -> wanted == said.archived()).orElse(true)
          && query.tag().map(said.tags()::contains).orElse(true)
          && query.updatedAfter().map(state.updatedAt::isAfter).orElse(true)
          && query.updatedBefore().map(state.updatedAt::isBefore).orElse(true)
          && said.title().toLowerCase(Locale.ROOT).contains(title);
    };
  }
}
