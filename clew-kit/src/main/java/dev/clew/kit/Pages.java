package dev.clew.kit;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes pages of what a store has in memory. Stateless. */
public final class Pages {
  private Pages() {}

  /**
   * The sessions that match a query, in its order.
   *
   * @param sessions all live sessions of its owner, in any order
   */
  public static SessionPage of(SessionQuery query, Collection<SessionInfo> sessions) {
    NavigableMap<SessionCursor, SessionInfo> places =
        sessions.stream()
            .filter(info -> matches(query, info))
            .collect(
                Collectors.toMap(
                    info -> SessionCursor.of(query.order(), info),
                    info -> info,
                    (one, other) -> one,
                    TreeMap::new));
    if (query.cursor().isPresent()) {
      places = places.tailMap(SessionCursor.decode(query.order(), query.cursor().get()), false);
    }
    return first(query, places.values().stream().limit(query.limit() + 1L).toList());
  }

  /**
   * The first sessions of a list, as many as the query asks for.
   *
   * @param found sessions in the query's order, with one more than asked for if there are more
   */
  public static SessionPage first(SessionQuery query, List<SessionInfo> found) {
    if (found.size() <= query.limit()) {
      return new SessionPage(found, Optional.empty());
    }
    List<SessionInfo> page = found.subList(0, query.limit());
    SessionCursor last = SessionCursor.of(query.order(), page.get(page.size() - 1));
    return new SessionPage(page, Optional.of(last.encode()));
  }

  /** Whether a session of the query's owner passes its filters. */
  public static boolean matches(SessionQuery query, SessionInfo info) {
    return query.archived().map(wanted -> wanted == info.archived()).orElse(true)
        && query.pinned().map(wanted -> wanted == info.pinned()).orElse(true)
        && query.tag().map(info.tags()::contains).orElse(true)
        && query.updatedAfter().map(info.updatedAt()::isAfter).orElse(true)
        && query.updatedBefore().map(info.updatedAt()::isBefore).orElse(true)
        && query
            .titleContains()
            .map(part -> titleKey(info.title()).contains(titleKey(part)))
            .orElse(true);
  }

  /** What titles are ordered and searched by: case does not count. */
  public static String titleKey(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Names in order, without doubles, after a name, at most {@code limit}. */
  public static List<String> ofNames(Stream<String> names, Optional<String> after, int limit) {
    return names
        .filter(name -> after.isEmpty() || TextOrder.BY_CODE_POINT.compare(name, after.get()) > 0)
        .distinct()
        .sorted(TextOrder.BY_CODE_POINT)
        .limit(limit)
        .toList();
  }

  /**
   * The entries of a range. Compacted ones come first, in the order of their replacement. A cursor
   * is the position of a compacted entry if there is one, else a position among the live ones, even
   * if it has no entry.
   */
  public static EntryPage of(Range range, List<Entry> compacted, NavigableMap<Long, Entry> live) {
    List<Entry> first = range.includeCompacted() ? compacted : List.of();
    NavigableMap<Long, Entry> second = live;
    if (range.cursor().isPresent()) {
      long cursor = range.cursor().getAsLong();
      int index = indexOf(first, cursor);
      if (range.backward()) {
        first = index < 0 ? first : first.subList(0, index);
        second = index < 0 ? live.headMap(cursor, false) : Collections.emptyNavigableMap();
      } else {
        first = index < 0 ? List.of() : first.subList(index + 1, first.size());
        second = index < 0 ? live.tailMap(cursor, false) : live;
      }
    }
    List<Entry> page = new ArrayList<>(Math.min(range.limit(), 16));
    boolean more;
    if (range.backward()) {
      more =
          fill(page, second.descendingMap().values(), range.limit())
              || fill(page, reversed(first), range.limit());
      Collections.reverse(page);
    } else {
      more = fill(page, first, range.limit()) || fill(page, second.values(), range.limit());
    }
    return new EntryPage(page, more);
  }

  private static int indexOf(List<Entry> compacted, long position) {
    for (int i = 0; i < compacted.size(); i++) {
      if (compacted.get(i).position() == position) {
        return i;
      }
    }
    return -1;
  }

  private static List<Entry> reversed(List<Entry> entries) {
    List<Entry> reversed = new ArrayList<>(entries);
    Collections.reverse(reversed);
    return reversed;
  }

  /** Adds entries until the page is full; returns whether there was another. */
  private static boolean fill(List<Entry> page, Iterable<Entry> entries, int limit) {
    for (Entry entry : entries) {
      if (page.size() == limit) {
        return true;
      }
      page.add(entry);
    }
    return false;
  }
}
