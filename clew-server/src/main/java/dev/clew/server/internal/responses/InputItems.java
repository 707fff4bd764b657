package dev.clew.server.internal.responses;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.BoundedPage;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.wire.Includes;
import dev.clew.server.internal.wire.ItemPlaces;
import dev.clew.server.internal.wire.WireItems;
import dev.clew.server.internal.wire.WirePage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists the input items of a response without its history. Thread-safe. */
record InputItems(SessionStore store, boolean strict) {
  /** All items of one request; others in its session are not of interest. */
  private static final long MOST_READ = Route.LARGE_BODY + BoundedPage.MOST_BYTES;

  void list(Call call, StoredResponse response) {
    Includes.check(call.queryAll("include"), strict);
    int limit = call.query("limit", 20, 1, 100);
    boolean backward = WirePage.backward(call);
    Optional<String> after = call.queryText("after");
    List<Entry> entries =
        response.hasTurn()
            ? written(response, limit + 1, backward, after)
            : waiting(response, limit + 1, backward, after);
    int count = fitting(entries, limit);
    call.replyJson(WirePage.of(entries.subList(0, count)).json(entries.size() > count));
  }

  private static int fitting(List<Entry> entries, int limit) {
    long bytes = 0;
    int count = 0;
    while (count < Math.min(limit, entries.size())) {
      bytes += entries.get(count).item().json().length();
      if (count > 0 && bytes > BoundedPage.MOST_BYTES) {
        return count;
      }
      count++;
    }
    return count;
  }

  private List<Entry> written(
      StoredResponse response, int limit, boolean backward, Optional<String> after) {
    SessionKey key = response.home().key();
    long first = response.span().first();
    long last = response.span().lastInput();
    long cursor = backward ? last + 1 : first - 1;
    if (after.isPresent()) {
      long at = new ItemPlaces(store).at(key, after.get());
      cursor = backward ? Math.min(cursor, at) : Math.max(cursor, at);
    }
    Range range = backward ? Range.before(cursor, limit) : Range.after(cursor, limit);
    EntryPage page = BoundedPage.read(store, key, range.withCompacted(), MOST_READ);
    List<Entry> entries = new ArrayList<>(page.entries());
    entries.removeIf(entry -> entry.position() < first || entry.position() > last);
    if (backward) {
      Collections.reverse(entries);
    }
    return entries;
  }

  /** Input that is not in the session yet, or never will be. */
  private static List<Entry> waiting(
      StoredResponse response, int limit, boolean backward, Optional<String> after) {
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < response.input().size(); i++) {
      all.add(new Entry(i, response.input().get(i), Instant.EPOCH, Map.of(), false));
    }
    if (backward) {
      Collections.reverse(all);
    }
    int start = 0;
    if (after.isPresent()) {
      while (start < all.size() && !WireItems.id(all.get(start)).equals(after.get())) {
        start++;
      }
      if (start == all.size()) {
        throw ItemPlaces.unknownCursor(after.get());
      }
      start++;
    }
    return all.subList(start, Math.min(all.size(), start + limit));
  }
}
