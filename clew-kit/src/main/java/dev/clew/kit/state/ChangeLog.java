package dev.clew.kit.state;

import dev.clew.SessionEvent;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import dev.clew.spi.Changes;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The last changes of one session, from which a watcher at an older version is brought up to date.
 * Not thread-safe: used under the lock of its session.
 *
 * <p>It holds positions, not entries: a watcher gets what is there now. Appended entries are found
 * in the history, whose positions and versions come from one sequence.
 */
public final class ChangeLog {
  /** How many changes it keeps. */
  public static final int CAPACITY = 256;

  private final ArrayDeque<Change> changes = new ArrayDeque<>();

  /** Changes up to this version are forgotten. */
  private long floor;

  /** The version after which the session last began empty; -1 if that is forgotten. */
  private long emptyAt;

  private long last;

  /**
   * A log whose first change comes after a version.
   *
   * @param isNew whether the session does not exist yet; of an older one the beginning is forgotten
   */
  public ChangeLog(long floor, boolean isNew) {
    this.floor = floor;
    this.emptyAt = isNew ? floor : -1;
    this.last = floor;
  }

  /** The version of the newest change. */
  public long last() {
    return last;
  }

  /** Notes what led to a version. */
  void changed(List<Change> made, long version) {
    changes.addAll(made);
    last = version;
    while (changes.size() > CAPACITY) {
      floor = changes.remove().version();
    }
  }

  void cleared(long version) {
    // A cleared session brings every watcher up to date, whatever it had before.
    changes.clear();
    floor = 0;
    emptyAt = version;
    changed(List.of(new Change(version, ChangeEvents.CLEARED, 0)), version);
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
    List<Change> later = changes.stream().filter(change -> change.version() > from).toList();
    List<SessionEvent> events =
        ChangeEvents.since(from, later, history.neededSince(from, later), newest).events();
    return new Changes(events, Math.max(from, last));
  }
}
