package dev.clew.kit.state;

import dev.clew.SessionQuery.Order;
import dev.clew.kit.SessionCursor;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Some sessions of one owner, in every order they can be listed in. Not thread-safe: used under a
 * lock.
 */
final class OrderedIndex<T extends Listed> {
  private final Map<Order, NavigableMap<SessionCursor, T>> orders = new EnumMap<>(Order.class);

  OrderedIndex() {
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

  /** Takes out a session that is where its times and title of then put it. */
  void remove(T session, Was was) {
    orders.forEach((order, places) -> places.remove(was.place(order, session)));
  }

  /** Moves a session whose times or title were others until now. */
  void move(T session, Was was) {
    orders.forEach(
        (order, places) -> {
          SessionCursor before = was.place(order, session);
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

  /** What put a session where it was. */
  record Was(Instant createdAt, Instant updatedAt, Description description) {
    static Was of(Listed session) {
      return new Was(session.createdAt(), session.updatedAt(), session.description());
    }

    private SessionCursor place(Order order, Listed session) {
      return SessionCursor.of(order, createdAt, updatedAt, description.title(), session.key().id());
    }
  }
}
