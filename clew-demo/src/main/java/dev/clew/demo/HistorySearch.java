package dev.clew.demo;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.agent.RunContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Looks for words in what was said before: in all sessions of the owner of the run's session, and
 * in nobody else's. Stateless.
 */
final class HistorySearch {
  private static final int MOST = 5;
  private static final int LONGEST = 200;
  private static final int TURN = 64;

  private HistorySearch() {}

  static Hits search(String words, RunContext run) {
    if (words.isBlank() || words.length() > LONGEST) {
      throw new IllegalArgumentException("search for 1 to " + LONGEST + " characters");
    }
    Optional<StoredSession> stored = EventBooks.stored(run);
    return stored.isPresent()
        ? inStore(words, stored.get())
        : inItems(words, run.session().map(Session::getItems).orElse(List.of()));
  }

  private static Hits inStore(String words, StoredSession session) {
    // One more for the sentence that asks for the search, which has the words too.
    SearchResult result =
        session.store().search(SearchQuery.of(session.key().owner(), words).limit(MOST + TURN));
    long thisTurn = thisTurn(session);
    List<Hits.Hit> hits = new ArrayList<>();
    for (SearchResult.Hit hit : result.hits()) {
      boolean asking = hit.key().equals(session.key()) && hit.position() >= thisTurn;
      if (!asking && hits.size() < MOST) {
        String snippet = hit.snippet().strip().replaceAll("\\s+", " ");
        hits.add(new Hits.Hit(hit.key().id(), snippet));
      }
    }
    return new Hits(List.copyOf(hits), result.partial());
  }

  /** The position of the user's last message. */
  private static long thisTurn(StoredSession session) {
    List<Entry> newest = session.entries(Range.latest(TURN)).entries();
    for (int i = newest.size() - 1; i >= 0; i--) {
      if (Window.startsTurn(newest.get(i).item())) {
        return newest.get(i).position();
      }
    }
    return Long.MAX_VALUE;
  }

  private static Hits inItems(String words, List<Item> items) {
    String wanted = words.toLowerCase(Locale.ROOT);
    List<Hits.Hit> hits = new ArrayList<>();
    int last = items.size();
    while (last > 0 && !Window.startsTurn(items.get(last - 1))) {
      last--;
    }
    for (int i = last - 2; i >= 0 && hits.size() < MOST; i--) {
      if (items.get(i).view() instanceof View.Message message
          && message.text().toLowerCase(Locale.ROOT).contains(wanted)) {
        hits.add(new Hits.Hit("this one", message.text()));
      }
    }
    return new Hits(List.copyOf(hits), false);
  }
}
