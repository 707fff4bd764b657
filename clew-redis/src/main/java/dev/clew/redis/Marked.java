package dev.clew.redis;

import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.kit.SessionCursor;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an owner that are pinned, archived or tagged. Immutable.
 *
 * @param mark the start of their entries in the list of marks
 */
record Marked(String mark) {
  /** The mark that a query asks for; null if it asks for none. */
  static @Nullable Marked of(SessionQuery query) {
    if (query.tag().isPresent()) {
      return new Marked("t" + query.tag().get());
    }
    if (query.pinned().orElse(false)) {
      return new Marked("p");
    }
    return query.archived().orElse(false) ? new Marked("a") : null;
  }

  /** Their places after a cursor, in order. */
  SessionList.Places places(
      Server server, Keys keys, SessionQuery query, Optional<SessionCursor> cursor) {
    List<SessionCursor> all = new ArrayList<>();
    for (SessionCursor place : placed(server, keys, query, ids(server, keys, query.owner()))) {
      if (cursor.isEmpty() || place.compareTo(cursor.get()) > 0) {
        all.add(place);
      }
    }
    all.sort(null);
    return count -> {
      List<SessionCursor> next = all.subList(0, Math.min(count, all.size()));
      List<SessionCursor> taken = List.copyOf(next);
      next.clear();
      return taken;
    };
  }

  private List<String> ids(Server server, Keys keys, String owner) {
    // A mark contains no line end, and one follows it.
    String from = "[" + mark + "\n";
    String to = "(" + mark + "\u000b";
    return server
        .together(
            keys.owners(),
            () ->
                keys.buckets(owner, 'g').stream()
                    .map(marked -> Ask.values(CommandType.ZRANGEBYLEX, marked, from, to))
                    .toList())
        .stream()
        .flatMap(List::stream)
        .map(entry -> Wire.text(entry).substring(mark.length() + 1))
        .toList();
  }

  private static List<SessionCursor> placed(
      Server server, Keys keys, SessionQuery query, List<String> ids) {
    Order order = query.order();
    if (order == Order.TITLE) {
      return each(
          server,
          keys,
          query.owner(),
          ids,
          of -> Ask.field(of.session, "title_key"),
          (id, found) -> new SessionCursor(order, 0, found == null ? "" : Wire.text(found), id));
    }
    return each(
        server,
        keys,
        query.owner(),
        ids,
        of -> Ask.score(order == Order.UPDATED ? of.byUpdate : of.byCreation, of.key.id()),
        (id, score) -> new SessionCursor(order, score == null ? 0 : -score.longValue(), "", id));
  }

  private static <T> List<SessionCursor> each(
      Server server,
      Keys keys,
      String owner,
      List<String> ids,
      Function<Keys.OfSession, AsyncCommand<byte[], byte[], T>> ask,
      BiFunction<String, @Nullable T, SessionCursor> place) {
    if (ids.isEmpty()) {
      return List.of();
    }
    List<T> found =
        server.together(
            keys.owners(),
            () -> ids.stream().map(id -> ask.apply(keys.of(new SessionKey(owner, id)))).toList());
    List<SessionCursor> places = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      places.add(place.apply(ids.get(i), found.get(i)));
    }
    return places;
  }
}
