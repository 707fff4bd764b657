package dev.clew.server.internal.conversations;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.kit.SessionCursor;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.internal.wire.WirePage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Pages of an owner's conversations by their last update, in both directions from a conversation.
 * Thread-safe.
 *
 * <p>Stores list the newest first. What is newer than a conversation is found by halving the time
 * until a stretch of it has one page or two, so that a page costs a bounded number of reads however
 * many conversations there are.
 */
record ConversationList(SessionStore store) {
  private static final SessionQuery.Order ORDER = SessionQuery.Order.UPDATED;
  private static final int PAGE = 20;
  private static final int MAX_PAGE = 100;

  /** How many are read at once: each may have long metadata. */
  private static final int STEP = 25;

  /** Nothing but itself comes before it, because ids have no control characters. */
  private static final String LEAST_ID = " ";

  /**
   * A page.
   *
   * @param next where the store's list continues, for pages that follow it
   */
  record Page(List<SessionInfo> conversations, boolean hasMore, Optional<String> next) {}

  /** The page that a call asks for with {@code limit}, {@code order} and a cursor. */
  Page read(Call call) {
    int limit = call.query("limit", PAGE, 1, MAX_PAGE);
    boolean newestFirst = WirePage.backward(call);
    Optional<String> cursor = call.queryText("cursor");
    Optional<String> after = call.queryText("after");
    Optional<String> before = call.queryText("before");
    if (cursor.isPresent()
        ? !newestFirst || after.or(() -> before).isPresent()
        : after.isPresent() && before.isPresent()) {
      throw Problem.invalid(
          "mutually_exclusive_parameters",
          null,
          "Only one of 'after', 'before' and 'cursor' may be given, and 'cursor' only for the newest"
              + " first.");
    }
    Optional<SessionCursor> from =
        after
            .map(id -> place(call, "after", id))
            .or(() -> before.map(id -> place(call, "before", id)));
    boolean older = newestFirst == before.isEmpty();
    SessionQuery query = SessionQuery.of(call.owner()).order(ORDER).limit(limit);
    Page page =
        older ? older(query, from.map(SessionCursor::encode).or(() -> cursor)) : newer(query, from);
    return older == newestFirst ? page : reversed(page);
  }

  private SessionCursor place(Call call, String name, String id) {
    Optional<SessionInfo> info = Optional.empty();
    try {
      SessionKey key = ConversationIds.toKey(call.owner(), id);
      info = store.session(key).info();
    } catch (Problem e) {
      // No conversation can have this id.
    }
    return SessionCursor.of(
        ORDER,
        info.orElseThrow(
            () -> Problem.invalidValue(name, "there is no conversation with id '" + id + "'")));
  }

  private static Page reversed(Page page) {
    List<SessionInfo> conversations = new ArrayList<>(page.conversations());
    Collections.reverse(conversations);
    return new Page(conversations, page.hasMore(), Optional.empty());
  }

  private Page older(SessionQuery query, Optional<String> from) {
    try {
      SessionPage page = BoundedPage.list(store, query, from);
      return new Page(page.sessions(), page.next().isPresent(), page.next());
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue("cursor", "it is not a cursor of this list");
    }
  }

  /** The next newer ones, the oldest of them first. */
  private Page newer(SessionQuery query, Optional<SessionCursor> from) {
    List<SessionCursor> places = places(query, from);
    Collections.reverse(places);
    int most = Math.min(query.limit(), places.size());
    List<SessionInfo> page = new ArrayList<>();
    long bytes = 0;
    while (page.size() < most) {
      List<SessionInfo> next = at(query, places, page.size(), most);
      if (next.isEmpty()) { // deleted meanwhile
        return new Page(page, true, Optional.empty());
      }
      for (SessionInfo info : next) {
        bytes += BoundedPage.size(info);
        if (bytes > BoundedPage.MOST_BYTES && !page.isEmpty()) {
          return new Page(page, true, Optional.empty());
        }
        page.add(info);
      }
    }
    return new Page(page, places.size() > most, Optional.empty());
  }

  /** Some of the conversations at places, the first of them at {@code begin}. */
  private List<SessionInfo> at(
      SessionQuery query, List<SessionCursor> places, int begin, int most) {
    int end = Math.min(begin + STEP, most);
    SessionCursor from =
        end < places.size() ? places.get(end) : before(places.get(end - 1).millis() + 1);
    List<SessionInfo> found = new ArrayList<>();
    Optional<String> next = Optional.of(from.encode());
    while (next.isPresent() && found.size() < end - begin) {
      SessionPage some = store.list(query.limit(end - begin - found.size()).cursor(next.get()));
      some.sessions().stream().filter(Family::isListed).forEach(found::add);
      next = some.next();
    }
    Collections.reverse(found);
    return found;
  }

  /** Where the list of what was updated before a moment begins. */
  private static SessionCursor before(long millis) {
    return new SessionCursor(ORDER, millis - 1, "", LEAST_ID);
  }

  /** The places of newer conversations, the nearest last: more than a page if there are more. */
  private List<SessionCursor> places(SessionQuery query, Optional<SessionCursor> from) {
    int most = 2 * query.limit();
    List<SessionCursor> found = stretch(query, Optional.empty(), from, most);
    if (found.size() <= most) {
      return found;
    }
    long few = from.map(SessionCursor::millis).orElse(0L); // before it there are too few
    long many = found.get(0).millis() + 1; // before it there are too many
    while (many - few > 1) {
      long middle = few + (many - few) / 2;
      found = stretch(query, Optional.of(before(middle)), from, most);
      if (found.size() > most) {
        many = middle;
      } else if (found.size() > query.limit()) {
        return found;
      } else {
        few = middle;
      }
    }
    // So many of one moment.
    return stretch(query, Optional.of(before(many)), from, Integer.MAX_VALUE);
  }

  /** Places from one on, until another; somewhat more than {@code most} if there are more. */
  private List<SessionCursor> stretch(
      SessionQuery query, Optional<SessionCursor> begin, Optional<SessionCursor> end, int most) {
    List<SessionCursor> found = new ArrayList<>();
    Optional<String> next = begin.map(SessionCursor::encode);
    do {
      SessionQuery some = query.limit(STEP);
      SessionPage page = store.list(next.map(some::cursor).orElse(some));
      for (SessionInfo info : page.sessions()) {
        SessionCursor place = SessionCursor.of(ORDER, info);
        if (end.isPresent() && place.compareTo(end.get()) >= 0) {
          return found;
        }
        if (Family.isListed(info)) {
          found.add(place);
        }
      }
      next = page.next();
    } while (next.isPresent() && found.size() <= most);
    return found;
  }
}
