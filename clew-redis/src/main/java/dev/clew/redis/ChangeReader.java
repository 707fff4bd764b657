package dev.clew.redis;

import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.spi.Changes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads what happened to a session after a version, by one script: items above it were appended,
 * entries of the list of changes are the other changes. Thread-safe.
 */
final class ChangeReader {
  private static final int PAGE = 500;

  private final Server server;
  private final Keys keys;
  private final ChangeFeed feed;

  /** Sessions that are gone without a trace, with the version at which that was reported. */
  private final Map<SessionKey, Long> gone = new ConcurrentHashMap<>();

  ChangeReader(Server server, Keys keys, ChangeFeed feed) {
    this.server = server;
    this.keys = keys;
    this.feed = feed;
  }

  Changes since(SessionKey key, long known) {
    feed.listenTo(key);
    Keys.OfSession of = keys.of(key);
    byte[][] read = {of.session, of.changes, of.items};
    Answer answer = server.repeat(Script.NEWS, read, known, PAGE);
    if (answer.isEmpty()) {
      return gone(key, known);
    }
    Answer head = new Answer(answer.list(0));
    long version = head.number(0);
    long born = head.number(1);
    long floor = head.number(2);
    if (version == known) {
      return new Changes(List.of(), known);
    }
    boolean reborn = known > 0 && known < born;
    // A version below the known one: the server has lost something.
    if (version < known || reborn || known < floor) {
      return new Changes(List.of(new SessionEvent.Reload(version)), version);
    }
    List<SessionEvent> events = events(answer);
    long last = events.isEmpty() ? version : events.get(events.size() - 1).version();
    return new Changes(events, Math.max(known, last), !events.isEmpty());
  }

  /** The session was removed so long ago that its numbers are gone; a new one has higher ones. */
  private Changes gone(SessionKey key, long known) {
    if (known == 0 || Long.valueOf(known).equals(gone.get(key))) {
      return new Changes(List.of(), known);
    }
    gone.keySet().retainAll(feed.watched());
    gone.put(key, known + 1);
    return new Changes(List.of(new SessionEvent.Cleared(known + 1)), known + 1);
  }

  private static List<SessionEvent> events(Answer answer) {
    List<Change> changes = new ArrayList<>();
    Map<Long, List<Entry>> now = new HashMap<>();
    List<?> raw = answer.list(1);
    List<?> lookups = answer.list(3);
    for (int i = 0; i < raw.size(); i++) {
      String[] fields = Wire.text(raw.get(i)).split(" ", -1);
      Change change = new Change(Long.parseLong(fields[0]), fields[1], Long.parseLong(fields[2]));
      changes.add(change);
      if (change.kind().equals(ChangeEvents.EDITED)
          || change.kind().equals(ChangeEvents.REPLACED)) {
        now.put(change.position(), entries((List<?>) lookups.get(i)));
      }
    }
    return ChangeEvents.merge(changes, rows(answer.list(2)), PAGE, new Now(now));
  }

  private static List<Entry> entries(List<?> members) {
    return rows(members).stream().flatMap(Optional::stream).toList();
  }

  /** The entries of members that are newest first, oldest first. */
  private static List<Optional<Entry>> rows(List<?> members) {
    List<Optional<Entry>> rows = new ArrayList<>(members.size());
    for (int i = members.size() - 1; i >= 0; i--) {
      rows.add(Member.entry((byte[]) members.get(i), false));
    }
    return rows;
  }

  /** The history at the moment of the read, as far as the changes need it. */
  private record Now(Map<Long, List<Entry>> found)
      implements ChangeEvents.History<RuntimeException> {
    @Override
    public Optional<Entry> at(long position) {
      return upTo(position).stream().filter(entry -> entry.position() == position).findFirst();
    }

    @Override
    public List<Entry> upTo(long position) {
      return found.getOrDefault(position, List.of());
    }
  }
}
