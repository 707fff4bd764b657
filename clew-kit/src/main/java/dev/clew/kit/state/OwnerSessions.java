package dev.clew.kit.state;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.kit.SessionCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one owner, by id and in every order they can be listed in; those that are pinned,
 * archived or have a tag also by themselves, so that they are found among many others. Not
 * thread-safe: used under a lock.
 */
public final class OwnerSessions<T extends Listed> {
  private static final String PINNED = "pinned";
  private static final String ARCHIVED = "archived";
  private static final String TAG = "tag ";

  private final Map<String, T> byId = new HashMap<>();
  private final OrderedIndex<T> all = new OrderedIndex<>();
  private final Map<String, OrderedIndex<T>> marked = new HashMap<>();

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
    all.add(session);
    marks(session.description()).forEach(mark -> mark(mark, session));
  }

  /** Takes out a session that has not changed since it was added, or was moved since. */
  public void remove(T session) {
    byId.remove(session.key().id());
    OrderedIndex.Was was = OrderedIndex.Was.of(session);
    all.remove(session, was);
    marks(session.description()).forEach(mark -> unmark(mark, session, was));
  }

  /** Moves a session whose times or description were others until now. */
  public void move(T session, Instant createdBefore, Instant updatedBefore, Description before) {
    OrderedIndex.Was was = new OrderedIndex.Was(createdBefore, updatedBefore, before);
    all.move(session, was);
    Set<String> now = marks(session.description());
    Set<String> then = marks(before);
    for (String mark : then) {
      if (now.contains(mark)) {
        shelf(mark).move(session, was);
      } else {
        unmark(mark, session, was);
      }
    }
    for (String mark : now) {
      if (!then.contains(mark)) {
        mark(mark, session);
      }
    }
  }

  private static Set<String> marks(Description said) {
    if (!said.pinned() && !said.archived() && said.tags().isEmpty()) {
      return Set.of();
    }
    Set<String> marks = new HashSet<>();
    if (said.pinned()) {
      marks.add(PINNED);
    }
    if (said.archived()) {
      marks.add(ARCHIVED);
    }
    said.tags().forEach(tag -> marks.add(TAG + tag));
    return marks;
  }

  private void mark(String mark, T session) {
    marked.computeIfAbsent(mark, name -> new OrderedIndex<>()).add(session);
  }

  private void unmark(String mark, T session, OrderedIndex.Was was) {
    OrderedIndex<T> shelf = shelf(mark);
    shelf.remove(session, was);
    if (shelf.isEmpty()) {
      marked.remove(mark);
    }
  }

  private OrderedIndex<T> shelf(String mark) {
    return marked.getOrDefault(mark, new OrderedIndex<>());
  }

  /** All of them, newest-updated first. */
  public Collection<T> all() {
    return all.in(Order.UPDATED).values();
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
    NavigableMap<SessionCursor, T> places = smallest(query).in(query.order());
    if (query.cursor().isPresent()) {
      SessionCursor cursor = SessionCursor.decode(query.order(), query.cursor().get());
      places = places.tailMap(cursor, false);
    }
    return places.values().stream().filter(matching(query)).iterator();
  }

  /** Where all that a query asks for is, and as little else as possible. */
  private OrderedIndex<T> smallest(SessionQuery query) {
    if (query.tag().isPresent()) {
      return shelf(TAG + query.tag().get());
    }
    if (query.pinned().orElse(false)) {
      return shelf(PINNED);
    }
    return query.archived().orElse(false) ? shelf(ARCHIVED) : all;
  }

  private Predicate<T> matching(SessionQuery query) {
    String title = query.titleContains().orElse("").toLowerCase(Locale.ROOT);
    return session -> {
      Description said = session.description();
      return query.archived().map(wanted -> wanted == said.archived()).orElse(true)
          && query.pinned().map(wanted -> wanted == said.pinned()).orElse(true)
          && query.tag().map(said.tags()::contains).orElse(true)
          && query.updatedAfter().map(session.updatedAt()::isAfter).orElse(true)
          && query.updatedBefore().map(session.updatedAt()::isBefore).orElse(true)
          && said.title().toLowerCase(Locale.ROOT).contains(title);
    };
  }
}
