package dev.clew;

import java.util.List;

/**
 * A committed change of a session, as {@link StoredSession#watch} delivers it. Immutable.
 *
 * <p>One change is one event, with one exception: a replaced suffix is first delivered as {@link
 * Removed}, in one event or several, and then as {@link Appended}. Each event has a higher version
 * than the one before, and the last of a change has the version of its {@link Receipt}; a watcher
 * that resumes between the two misses nothing.
 *
 * <p>In order, events take a copy of the session from one version to the next. A subscriber that
 * lags gets the net effect: an item added and removed meanwhile may appear only as removed.
 */
public sealed interface SessionEvent {

  /** The version after this event; watching can resume from it. */
  long version();

  /** Entries were added at the end. */
  record Appended(long version, List<Entry> entries) implements SessionEvent {
    /** Makes the list unmodifiable. */
    public Appended {
      entries = List.copyOf(entries);
    }
  }

  /** The entries at these positions were removed. */
  record Removed(long version, List<Long> positions) implements SessionEvent {
    /** Makes the list unmodifiable. */
    public Removed {
      positions = List.copyOf(positions);
    }
  }

  /** The item at the entry's position was replaced. */
  record Edited(long version, Entry entry) implements SessionEvent {}

  /** Everything up to and including {@code upTo} was replaced by these entries. */
  record Replaced(long version, long upTo, List<Entry> entries) implements SessionEvent {
    /** Makes the list unmodifiable. */
    public Replaced {
      entries = List.copyOf(entries);
    }
  }

  /** Title, metadata, tags or flags changed. */
  record Described(long version) implements SessionEvent {}

  /** The session was cleared, deleted, erased, or expired. */
  record Cleared(long version) implements SessionEvent {}

  /** The single changes since the requested version are no longer known: read the session again. */
  record Reload(long version) implements SessionEvent {}
}
