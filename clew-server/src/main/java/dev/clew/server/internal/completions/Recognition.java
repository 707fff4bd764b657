package dev.clew.server.internal.completions;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.server.internal.completions.ChatRecords.Known;
import dev.clew.server.internal.completions.Place.Kind;
import dev.clew.server.internal.wire.Entries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Finds the session whose history a client sends, and where its new part begins. Thread-safe.
 *
 * <p>Usually that is one lookup by the digest of everything up to the assistant's last message, and
 * one read of what follows it in the session, however long the history is. Only if that fails, more
 * is looked at: histories with the same last exchange, because clients leave out old messages, and
 * shorter beginnings, because people edit answers.
 */
record Recognition(SessionStore store) {
  /** So many of the last messages must be the same if the beginning is not. */
  private static final int SAME = 4;

  private static final int SAME_IF_NAMED = 2;

  /** So many messages before those may be others: a summary, and the first message. */
  private static final int OTHER = 2;

  private static final int MOST_READ = 2_000;

  /** What is longer than the request cannot be the same; some items are not in a request. */
  private static final int BYTES_FOR_ONE = 2;

  private static final long LEAST_BYTES = 256 << 10;

  /** Entries of a session, with a bound in bytes because items may be long. */
  private List<Entry> entries(StoredSession session, Range range, Given given) {
    long most = LEAST_BYTES;
    for (Item item : given.items()) {
      most += BYTES_FOR_ONE * (long) item.json().length();
    }
    boolean isShort = session.info().map(SessionInfo::bytes).orElse(0L) <= most;
    return (isShort ? session.entries(range) : BoundedPage.read(store, session.key(), range, most))
        .entries();
  }

  private ChatRecords records() {
    return new ChatRecords(store);
  }

  /** Where the record of a request goes. */
  Place find(String owner, Optional<SessionKey> named, Given given) {
    if (named.isPresent()) {
      return inNamed(named.get(), given);
    }
    return known(owner, given, Optional.empty()).orElseGet(() -> apart(owner));
  }

  /**
   * The place of a first answer that the model is to continue. It is in a branch, and which chat of
   * several that began so is continued, nobody knows.
   */
  private Optional<Place> continued(String owner, Given given, Optional<SessionKey> root) {
    List<Known> all = lookUp(owner, given, given.steps().size(), root);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    if (root.isEmpty() && all.size() > 1 && !isOneFamily(owner, all)) {
      return Optional.of(apart(owner));
    }
    return continued(owner, all.get(0), given);
  }

  private Optional<Place> continued(String owner, Known known, Given given) {
    SessionKey key = new SessionKey(owner, known.session());
    int limit = 2 * given.items().size() + 8;
    List<Entry> entries =
        entries(store.session(key), Range.before(known.position() + 1, limit), given);
    Steps steps = Steps.of(items(entries));
    return steps.size() == 0 || entries.get(entries.size() - 1).position() != known.position()
        ? Optional.empty()
        : Optional.of(
            new Place(
                key,
                known.root(),
                Kind.BRANCH,
                OptionalLong.of(entries.get(steps.get(steps.size() - 1).from()).position()),
                given.asked(),
                given.steps().chain(Steps.START, 0, given.asked()),
                known.system(),
                List.of(),
                true));
  }

  /** The place behind the longest known part of the history. */
  private Optional<Place> known(String owner, Given given, Optional<SessionKey> root) {
    int end = given.known();
    if (end == 0 || !hasUser(given, end)) { // what people say first is often the same
      return given.isPrefilled() ? continued(owner, given, root) : Optional.empty();
    }
    Optional<Place> exact = exact(owner, given, end, root);
    if (exact.isPresent()) {
      return exact;
    }
    int least = root.isPresent() ? SAME_IF_NAMED : SAME;
    if (end >= least) {
      for (Known known : records().candidates(owner, tail(given, end))) {
        if (isOf(known, root)) {
          Optional<Place> windowed =
              isSame(new SessionKey(owner, known.session()), known.position(), given, end, least)
                  ? behind(owner, known, given, end)
                  : Optional.empty();
          if (windowed.isPresent()) {
            return windowed;
          }
        }
      }
    }
    return shorter(owner, given, end, root);
  }

  private static boolean hasUser(Given given, int end) {
    return given.steps().all().subList(0, end).stream()
        .anyMatch(step -> step.kind() == Steps.Kind.USER);
  }

  private static boolean isOf(Known known, Optional<SessionKey> root) {
    return root.isEmpty()
        || known.root().equals(root.get().id())
        || known.session().equals(root.get().id());
  }

  private static String tail(Given given, int end) {
    return ChatRecords.tail(given.steps().all().subList(0, end));
  }

  private List<Known> lookUp(String owner, Given given, int end, Optional<SessionKey> root) {
    return records()
        .find(owner, tail(given, end), given.steps().chain(Steps.START, 0, end))
        .stream()
        .filter(known -> isOf(known, root))
        .toList();
  }

  /**
   * The place behind a beginning that one session has, or several: different chats often begin with
   * the same words and the same answer. A session that ends where the history does is preferred;
   * all such are the same. If there is none, somebody went back in one of them: in the one that has
   * more in common, or if that does not tell them apart, nobody knows which. Then it is a session
   * of its own rather than a branch, which would be deleted with a chat that has nothing to do with
   * it.
   */
  private Optional<Place> exact(String owner, Given given, int end, Optional<SessionKey> root) {
    List<Known> all = lookUp(owner, given, end, root);
    List<Known> best = new ArrayList<>();
    Optional<Place> found = Optional.empty();
    for (Known known : all) {
      Optional<Place> place = behind(owner, known, given, end);
      if (place.isEmpty()) {
        continue;
      }
      if (place.get().kind() == Kind.APPEND && place.get().matched() >= given.known()) {
        return place;
      }
      int better = place.get().matched() - found.map(Place::matched).orElse(-1);
      boolean isAppend = place.get().kind() == Kind.APPEND;
      boolean wasAppend = found.filter(before -> before.kind() == Kind.APPEND).isPresent();
      if (better > 0 || (better == 0 && isAppend && !wasAppend)) {
        best.clear();
        found = place;
      }
      if (better >= 0 && isAppend == (found.get().kind() == Kind.APPEND)) {
        best.add(known);
      }
    }
    boolean isSure =
        root.isPresent()
            || best.size() < 2
            || found.orElseThrow().kind() == Kind.APPEND
            || isOneFamily(owner, best);
    return isSure ? found : Optional.of(apart(owner));
  }

  private boolean isOneFamily(String owner, List<Known> all) {
    return all.stream()
            .map(known -> new SessionKey(owner, known.session()))
            .distinct()
            .map(
                key ->
                    store.session(key).info().flatMap(Family::name).orElseGet(() -> "/" + key.id()))
            .distinct()
            .count()
        == 1;
  }

  /** A session of its own. */
  private static Place apart(String owner) {
    return Place.fresh(new SessionKey(owner, UUID.randomUUID().toString()));
  }

  /**
   * Looks for shorter beginnings that end with the assistant. Whoever knows one knows all that are
   * shorter, so few lookups suffice.
   */
  private Optional<Place> shorter(String owner, Given given, int end, Optional<SessionKey> root) {
    List<Integer> ends = new ArrayList<>();
    for (int i = 1; i < end; i++) {
      if (given.steps().get(i - 1).kind() == Steps.Kind.ASSISTANT && hasUser(given, i)) {
        ends.add(i);
      }
    }
    Optional<Place> best = Optional.empty();
    int low = 0;
    int high = ends.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Optional<Place> found = exact(owner, given, ends.get(middle), root);
      if (found.isPresent()) {
        best = found;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return best;
  }

  /** The place behind a known end of a history, if it still exists. */
  private Optional<Place> behind(String owner, Known known, Given given, int end) {
    StoredSession session = store.session(new SessionKey(owner, known.session()));
    int fresh = given.items().size() - given.steps().get(end - 1).to();
    int limit = Math.min(MOST_READ, 2 * fresh + 8);
    List<Entry> entries = entries(session, Range.after(known.position() - 1, limit), given);
    boolean live = !entries.isEmpty() && entries.get(0).position() == known.position();
    if (!live && Entries.at(session, known.position(), true).isEmpty()) {
      return Optional.empty(); // somebody removed it
    }
    List<Entry> rest = live ? entries.subList(1, entries.size()) : entries;
    Place base =
        new Place(
            session.key(),
            known.root(),
            Kind.APPEND,
            OptionalLong.of(known.position()),
            end,
            known.chain(),
            known.system(),
            known.calls(),
            true);
    if (!live && rest.isEmpty()) { // it was compacted
      return Entries.newest(session)
          .map(entry -> at(base, Kind.APPEND, entry.position(), given, end));
    }
    return Optional.of(behind(base, rest, given, end));
  }

  /** Compares what follows in the session with the rest of the request. */
  private static Place behind(Place base, List<Entry> rest, Given given, int end) {
    Steps steps = Steps.of(rest.stream().map(Entry::item).toList());
    int matched = 0;
    while (matched < steps.size()
        && end + matched < given.asked()
        && steps.get(matched).digest().equals(given.steps().get(end + matched).digest())) {
      matched++;
    }
    if (matched < steps.size()) {
      long at = rest.get(steps.get(matched).from()).position();
      return at(base, Kind.BRANCH, at, given, end + matched);
    }
    long last =
        rest.isEmpty() ? base.position().orElseThrow() : rest.get(rest.size() - 1).position();
    return at(base, Kind.APPEND, last, given, end + matched);
  }

  private static Place at(Place base, Kind kind, long position, Given given, int matched) {
    return new Place(
        base.session(),
        base.root(),
        kind,
        OptionalLong.of(position),
        matched,
        given.steps().chain(base.chain(), base.matched(), matched),
        base.system(),
        matched == base.matched() ? base.calls() : List.of(),
        base.marked());
  }

  /** Whether the messages up to an end are those up to a position, apart from the first ones. */
  private boolean isSame(SessionKey key, long position, Given given, int end, int least) {
    StoredSession session = store.session(key);
    int items = given.steps().get(end - 1).to();
    int limit = Math.min(MOST_READ, 2 * items + 16);
    List<Entry> before = entries(session, Range.before(position + 1, limit), given);
    Steps stored = Steps.of(items(before));
    int same = 0;
    while (same < end
        && same < stored.size()
        && given
            .steps()
            .get(end - 1 - same)
            .digest()
            .equals(stored.get(stored.size() - 1 - same).digest())) {
      same++;
    }
    int others = end - same;
    if (same < least) {
      return false;
    }
    return others <= OTHER || beginsAs(session, given, others);
  }

  /** Whether a session begins with so many messages, except for one. */
  private boolean beginsAs(StoredSession session, Given given, int count) {
    int limit = Math.min(MOST_READ, 2 * given.steps().get(count - 1).to() + 8);
    Steps first = Steps.of(items(entries(session, Range.first(limit), given)));
    return sameAtBeginning(first, given.steps(), count) >= count - 1;
  }

  private static int sameAtBeginning(Steps stored, Steps given, int most) {
    int same = 0;
    while (same < most
        && same < stored.size()
        && stored.get(same).digest().equals(given.get(same).digest())) {
      same++;
    }
    return same;
  }

  private static List<Item> items(List<Entry> entries) {
    return entries.stream().map(Entry::item).toList();
  }

  private Place inNamed(SessionKey key, Given given) {
    StoredSession session = store.session(key);
    if (session.info().isEmpty()) {
      return Place.fresh(key);
    }
    return known(key.owner(), given, Optional.of(key)).orElseGet(() -> compared(session, given));
  }

  /** Compares messages with a session that other programs may have written. */
  private Place compared(StoredSession session, Given given) {
    int most = Math.min(MOST_READ, 2 * given.items().size() + 16);
    List<Entry> first = entries(session, Range.first(most), given);
    Place fresh = Place.fresh(session.key());
    if (first.isEmpty()) {
      return fresh;
    }
    int asked = given.asked();
    Steps stored = Steps.of(items(first));
    int same = sameAtBeginning(stored, given.steps(), asked);
    if (same > 0 && (same < stored.size() || first.size() < most)) {
      return behind(fresh, first, given, 0);
    }
    List<Entry> latest = entries(session, Range.latest(most), given);
    return windowed(fresh, latest, given)
        .orElseGet(() -> at(fresh, Kind.BRANCH, first.get(0).position(), given, 0)); // nothing fits
  }

  /** The place behind the assistant's last message in the newest part of a session. */
  private static Optional<Place> windowed(Place base, List<Entry> latest, Given given) {
    int end = given.known();
    Steps stored = Steps.of(items(latest));
    for (int last = stored.size(); end > 0 && last > 0; last--) {
      int same = 0;
      while (same < Math.min(end, last)
          && given
              .steps()
              .get(end - 1 - same)
              .digest()
              .equals(stored.get(last - 1 - same).digest())) {
        same++;
      }
      if (same >= Math.min(SAME_IF_NAMED, end)) {
        int next = stored.get(last - 1).to();
        long position = latest.get(next - 1).position();
        Place there = at(base, Kind.APPEND, position, given, end);
        return Optional.of(behind(there, latest.subList(next, latest.size()), given, end));
      }
    }
    return Optional.empty();
  }
}
