package dev.clew.kit.state;

import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.spi.Changes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of one session, from which a watcher at an older version is brought up to date.
 * Not thread-safe: used under the lock of its session.
 *
 * <p>It holds positions, not entries: a watcher that lags is given what stands there now.
 */
public final class ChangeLog {
  /** How many changes it keeps. */
  public static final int CAPACITY = 256;

  /** One change, which becomes an event when a watcher asks; nothing if no trace of it is left. */
  private record Change(long version, Rendering rendering) {}

  @FunctionalInterface
  private interface Rendering {
    @Nullable SessionEvent event(History history);
  }

  private final ArrayDeque<Change> changes = new ArrayDeque<>();

  /** Changes up to here are forgotten. */
  private long floor;

  /** After this version the session last began with nothing. */
  private long emptyAt;

  private long last;

  /** A log of a session of which nothing after {@code floor} happened before. */
  public ChangeLog(long floor) {
    this.floor = floor;
    this.emptyAt = floor;
    this.last = floor;
  }

  /** The version of the newest change. */
  public long last() {
    return last;
  }

  void appended(long version, long first, long last) {
    add(
        version,
        history -> {
          List<Entry> entries = history.between(first, last);
          return entries.isEmpty() ? null : new SessionEvent.Appended(version, entries);
        });
  }

  void removed(long version, List<Long> positions) {
    SessionEvent event = new SessionEvent.Removed(version, positions);
    add(version, history -> event);
  }

  void edited(long version, long position) {
    add(
        version,
        history -> {
          Optional<Entry> entry = history.at(position);
          return entry.isEmpty() ? null : new SessionEvent.Edited(version, entry.get());
        });
  }

  /** The prefix up to {@code upTo} was replaced by {@code count} entries from {@code first} on. */
  void replaced(long version, long upTo, long first, int count) {
    add(
        version,
        history ->
            new SessionEvent.Replaced(
                version, upTo, count == 0 ? List.of() : history.between(first, first + count - 1)));
  }

  void described(long version) {
    SessionEvent event = new SessionEvent.Described(version);
    add(version, history -> event);
  }

  void cleared(long version) {
    // Whatever a watcher had before, a cleared session brings it up to date.
    changes.clear();
    floor = 0;
    emptyAt = version;
    SessionEvent event = new SessionEvent.Cleared(version);
    add(version, history -> event);
  }

  private void add(long version, Rendering rendering) {
    changes.add(new Change(version, rendering));
    last = version;
    if (changes.size() > CAPACITY) {
      floor = changes.remove().version();
    }
  }

  /**
   * What happened after a version; 0 is the version of a session that does not exist.
   *
   * @param newest the newest version any session has
   */
  public Changes since(long version, long newest, History history) {
    long from = version == 0 ? emptyAt : version;
    if (from < floor || from > newest) {
      return new Changes(List.of(new SessionEvent.Reload(last)), last);
    }
    List<SessionEvent> events = new ArrayList<>();
    for (Change change : changes) {
      SessionEvent event = change.version() > from ? change.rendering().event(history) : null;
      if (event != null) {
        events.add(event);
      }
    }
    return new Changes(events, Math.max(from, last));
  }
}
