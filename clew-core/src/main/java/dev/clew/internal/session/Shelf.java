package dev.clew.internal.session;

import dev.clew.SessionQuery.Order;
import dev.clew.internal.SessionCursor;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Some sessions of one owner, in every order they can be listed in. Not thread-safe: used under a
 * lock.
 */
final class Shelf<T extends Listed> {
  private final Map<Order, NavigableMap<SessionCursor, T>> orders = new EnumMap<>(Order.class);

  Shelf() {
    for (Order order : Order.values()) {
      orders.put(order, new TreeMap<>());
    }
  }

  boolean isEmpty() {
    return in(Order.UPDATED).isEmpty();
  }

  void add(T session) {
    orders.forEach((order, places) -> places.put(session.place(order), session));
  }

  /** Takes out a session that is where its time and title of then put it. */
  void remove(T session, Instant updated, String title) {
    orders.forEach((order, places) -> places.remove(place(order, session, updated, title)));
  }

  /** Moves a session whose time or title was another until now. */
  void move(T session, Instant updatedBefore, String titleBefore) {
    orders.forEach(
        (order, places) -> {
          SessionCursor before = place(order, session, updatedBefore, titleBefore);
          SessionCursor after = session.place(order);
          if (!after.equals(before)) {
            places.remove(before);
            places.put(after, session);
          }
        });
  }

  NavigableMap<SessionCursor, T> in(Order order) {
    NavigableMap<SessionCursor, T> places = orders.get(order);
    if (places == null) {
      throw new IllegalStateException("no index for " + order);
    }
    return places;
  }

  private static SessionCursor place(Order order, Listed session, Instant updated, String title) {
    return SessionCursor.of(order, session.createdAt(), updated, title, session.key().id());
  }
}
