package dev.clew.kit.state;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.kit.Pages;
import dev.clew.kit.SessionCursor;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one owner, by id and in every order they can be listed in. Those that are pinned,
 * archived or tagged are also indexed separately, so that they are found among many others. Not
 * thread-safe: used under a lock.
 */
public final class OwnerSessions {
  private static final String ALL = "";
  private static final String PINNED = "pinned";
  private static final String ARCHIVED = "archived";
  private static final String TAG = "tag ";

  /** Ids of some sessions, in every order. */
  private static final class Index {
    private final Map<Order, NavigableMap<SessionCursor, String>> orders =
        new EnumMap<>(Order.class);

    Index() {
      for (Order order : Order.values()) {
        orders.put(order, new TreeMap<>());
      }
    }

    NavigableMap<SessionCursor, String> in(Order order) {
      return Objects.requireNonNull(orders.get(order));
    }

    /** Replaces a session; null if it is not in this index before or after. */
    void move(@Nullable SessionInfo before, @Nullable SessionInfo after) {
      orders.forEach(
          (order, ids) -> {
            SessionCursor old = before == null ? null : SessionCursor.of(order, before);
            SessionCursor next = after == null ? null : SessionCursor.of(order, after);
            if (old != null && !old.equals(next)) {
              ids.remove(old);
            }
            if (next != null && !next.equals(old)) {
              ids.put(next, next.id());
            }
          });
    }
  }

  private final Map<String, SessionInfo> byId = new HashMap<>();
  private final Map<String, Index> indexes = new HashMap<>();

  /** Whether there is none. */
  public boolean isEmpty() {
    return byId.isEmpty();
  }

  /** Adds or replaces a session; returns its old description. */
  public @Nullable SessionInfo put(SessionInfo info) {
    return change(info.key().id(), info);
  }

  /** Removes a session; returns its description. */
  public @Nullable SessionInfo remove(String id) {
    return change(id, null);
  }

  private @Nullable SessionInfo change(String id, @Nullable SessionInfo after) {
    SessionInfo before = after == null ? byId.remove(id) : byId.put(id, after);
    Set<String> then = names(before);
    Set<String> now = names(after);
    for (String name : now) {
      Index index = indexes.computeIfAbsent(name, same -> new Index());
      index.move(then.contains(name) ? before : null, after);
    }
    for (String name : then) {
      Index index = indexes.get(name);
      if (index != null && !now.contains(name)) {
        index.move(before, null);
        if (index.in(Order.UPDATED).isEmpty()) {
          indexes.remove(name);
        }
      }
    }
    return before;
  }

  /** The indexes that have a session. */
  private static Set<String> names(@Nullable SessionInfo info) {
    if (info == null) {
      return Set.of();
    }
    if (!info.pinned() && !info.archived() && info.tags().isEmpty()) {
      return Set.of(ALL);
    }
    Set<String> names = new HashSet<>(Set.of(ALL));
    if (info.pinned()) {
      names.add(PINNED);
    }
    if (info.archived()) {
      names.add(ARCHIVED);
    }
    info.tags().forEach(tag -> names.add(TAG + tag));
    return names;
  }

  /** All sessions, the last updated first. */
  public Stream<SessionInfo> all() {
    return in(ALL, Order.UPDATED).values().stream().map(this::get);
  }

  private NavigableMap<SessionCursor, String> in(String name, Order order) {
    Index index = indexes.get(name);
    return index == null ? new TreeMap<>() : index.in(order);
  }

  private SessionInfo get(String id) {
    return Objects.requireNonNull(byId.get(id));
  }

  /** One page of those that a query asks for. */
  public SessionPage page(SessionQuery query, Predicate<SessionInfo> live) {
    Order order = query.order();
    var ids = in(smallest(query), order);
    return Pages.first(
        query,
        query
            .cursor()
            .map(text -> ids.tailMap(SessionCursor.decode(order, text), false))
            .orElse(ids)
            .values()
            .stream()
            .map(this::get)
            .filter(info -> Pages.matches(query, info) && live.test(info))
            .limit(query.limit() + 1L)
            .toList());
  }

  /** The smallest index that covers a query. */
  private static String smallest(SessionQuery query) {
    if (query.tag().isPresent()) {
      return TAG + query.tag().get();
    }
    if (query.pinned().orElse(false)) {
      return PINNED;
    }
    return query.archived().orElse(false) ? ARCHIVED : ALL;
  }
}
