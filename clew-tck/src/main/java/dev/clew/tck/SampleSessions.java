package dev.clew.tck;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sessions of every kind, and what a copy of them in another store has to agree in. Stateless; for
 * tests of what moves sessions.
 */
public final class SampleSessions {
  /** How many items {@link #large} adds. */
  public static final int LARGE = 14;

  private SampleSessions() {}

  /**
   * What a copy must agree in with its original.
   *
   * @param times when the session was made and updated, then of each entry, the newest first: when
   *     it was added, or the next one was if that was earlier, as behind a summary. Of a session
   *     that was emptied nothing but when it was made
   */
  public record Copy(
      List<Item> items,
      List<String> everything,
      List<Instant> times,
      String title,
      Map<String, Object> metadata,
      Set<String> tags,
      boolean archived,
      boolean pinned,
      Optional<Duration> timeToLive) {}

  /** That many messages. */
  public static List<Item> items(String text, int count) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(Item.user(text + " " + i));
    }
    return items;
  }

  /** Short and long, plain and compacted, described and not, of two owners; with documents. */
  public static void fill(SessionStore store) {
    StoredSession small = store.session("small");
    small.addItems(items("small", 3));
    small.update(
        SessionUpdate.none()
            .title("Trip to 京都")
            .metadata(Map.of("k", List.of(1, "two", Map.of("three", true))))
            .tags(Set.of("travel", "日本"))
            .pinned(true)
            .timeToLive(Duration.ofDays(900)));
    StoredSession notes = store.session("with notes");
    notes.commit(
        Commit.appendDrafts(
            List.of(
                new Draft(Item.user("a"), Map.of("model", "m")),
                new Draft(Item.assistant("b"), Map.of("usage", Map.of("tokens", 7))))));
    store.session("empty").update(SessionUpdate.none().title("nothing yet").archived(true));
    store.session("plain").addItems(items("plain", 2));
    large(store.session("large"));
    compacted(store.session("compacted"), 2);
    StoredSession emptied = store.session("emptied");
    emptied.addItems(items("gone", 4));
    emptied.commit(Commit.replacePrefix(tail(emptied), List.of()));
    StoredSession others = store.session(new SessionKey("ann:b%_", "small"));
    others.addItems(List.of(Item.parse("{\"n\":0.10,\"x\":\"\\ud800\\u0000é\",\"type\":\"new\"}")));
    store
        .documents()
        .put("ann:b%_", "token/1", "{\"a\":1}", OptionalLong.empty(), Optional.empty());
    store
        .documents()
        .put("only records", "r", "[1,2]", OptionalLong.empty(), Optional.of(Duration.ofDays(9)));
  }

  /** Longer than a batch, because its items are large. */
  public static void large(StoredSession session) {
    String padding = "x".repeat(300_000);
    for (int i = 0; i < LARGE; i++) {
      session.addItems(List.of(Item.user(i + padding)));
    }
    session.update(SessionUpdate.none().title("large"));
  }

  /** Compacted again and again, by several items at a time. */
  public static void compacted(StoredSession session, int times) {
    String padding = "y".repeat(200_000);
    for (int i = 0; i < times; i++) {
      for (int k = 0; k < 6; k++) {
        session.addItems(List.of(Item.user(i + "/" + k + padding)));
      }
      long upTo = tail(session);
      session.addItems(items("after " + i, 2));
      session.commit(Commit.replacePrefix(upTo, items("summary " + i, 2)));
    }
  }

  /** The newest position. */
  public static long tail(StoredSession session) {
    return session.entries(Range.latest(1)).entries().get(0).position();
  }

  /** All sessions of a store, as far as a copy has to agree. */
  public static Map<String, Copy> all(SessionStore store) {
    Map<String, Copy> all = new TreeMap<>();
    for (String owner : store.owners(Optional.empty(), 100)) {
      for (SessionInfo info : store.list(SessionQuery.of(owner).limit(1000)).sessions()) {
        all.put(info.key().toString(), copy(store, info));
      }
    }
    return all;
  }

  private static Copy copy(SessionStore store, SessionInfo info) {
    List<String> everything = new ArrayList<>();
    Range range = Range.first(Integer.MAX_VALUE).withCompacted();
    List<Entry> entries = store.session(info.key()).entries(range).entries();
    for (Entry entry : entries) {
      everything.add((entry.compacted() ? "- " : "+ ") + entry.item() + " " + entry.notes());
    }
    return new Copy(
        store.session(info.key()).getItems(Integer.MAX_VALUE),
        everything,
        times(info, entries),
        info.title(),
        info.metadata(),
        info.tags(),
        info.archived(),
        info.pinned(),
        info.timeToLive());
  }

  private static List<Instant> times(SessionInfo info, List<Entry> entries) {
    List<Instant> times = new ArrayList<>(List.of(info.createdAt()));
    if (info.itemCount() == 0 && !entries.isEmpty()) {
      return times;
    }
    times.add(info.updatedAt());
    for (int i = entries.size() - 1; i >= 0; i--) {
      Instant next = times.get(times.size() - 1);
      Instant added = entries.get(i).addedAt();
      times.add(added.isBefore(next) ? added : next);
    }
    return times;
  }

  /** The ids of an owner's sessions, newest-updated first. */
  public static List<String> order(SessionStore store, String owner) {
    return store.list(SessionQuery.of(owner).limit(1000)).sessions().stream()
        .map(info -> info.key().id())
        .toList();
  }
}
