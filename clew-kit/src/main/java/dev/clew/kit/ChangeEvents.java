package dev.clew.kit;

import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionEvent.Appended;
import dev.clew.SessionEvent.Removed;
import dev.clew.spi.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Builds events from what a store keeps: the appended entries, and a list of other changes.
 * Stateless.
 *
 * <p>Both draw their numbers from one sequence, which is their order: an appended entry's number is
 * its position, a change's number is the version it made.
 */
public final class ChangeEvents {
  /** Entries were removed. */
  public static final String REMOVED = "removed";

  /** An item was replaced. */
  public static final String EDITED = "edited";

  /** The beginning of the history was replaced. */
  public static final String REPLACED = "replaced";

  /** Title, metadata, tags or flags changed. */
  public static final String DESCRIBED = "described";

  /** The session was cleared. */
  public static final String CLEARED = "cleared";

  /** An event with this much text gets no further entries: readers receive it as a whole. */
  private static final long EVENT_CHARS = 256 << 10;

  private ChangeEvents() {}

  /**
   * A change that was not an append. Immutable.
   *
   * @param version the session's version after it
   * @param kind one of the names above
   * @param position which entry, or up to which one
   */
  public record Change(long version, String kind, long position) {}

  /**
   * The history at the same moment as the changes.
   *
   * @param <E> what reading may throw
   */
  public interface History<E extends Exception> {
    /** The live entry at a position. */
    Optional<Entry> at(long position) throws E;

    /** The live entries up to and including a position. */
    List<Entry> upTo(long position) throws E;
  }

  /**
   * The events, in order. If a list fills a page there may be more of its kind, so what follows its
   * end is left for the next call.
   *
   * @param rows the appended entries; empty for one that cannot be read back
   */
  public static <E extends Exception> List<SessionEvent> merge(
      List<Change> changes, List<Optional<Entry>> rows, int page, History<E> history) throws E {
    List<Entry> appended = rows.stream().flatMap(Optional::stream).toList();
    long horizon = Long.MAX_VALUE;
    if (changes.size() == page) {
      horizon = changes.get(page - 1).version();
    }
    if (rows.size() == page && !appended.isEmpty()) {
      horizon = Math.min(horizon, appended.get(appended.size() - 1).position());
    }
    List<SessionEvent> events = new ArrayList<>();
    int next = 0;
    for (Change change : changes) {
      if (change.version() > horizon) {
        break;
      }
      next = append(events, appended, next, change.version());
      add(events, change, history);
    }
    append(events, appended, next, horizon);
    return events;
  }

  /**
   * What happened to a session in memory after a version.
   *
   * @param changes all that were noted of it
   * @param history its live entries by position
   * @param newest the newest version that was given out
   */
  public static Changes since(
      long version, List<Change> changes, NavigableMap<Long, Entry> history, long newest) {
    if (version > newest) { // of another store, or of a backup that was newer
      return new Changes(List.of(new SessionEvent.Reload(newest)), newest);
    }
    History<RuntimeException> now =
        new History<>() {
          @Override
          public Optional<Entry> at(long position) {
            return Optional.ofNullable(history.get(position));
          }

          @Override
          public List<Entry> upTo(long position) {
            return List.copyOf(history.headMap(position, true).values());
          }
        };
    List<Change> later = changes.stream().filter(change -> change.version() > version).toList();
    List<Optional<Entry>> appended =
        history.tailMap(version, false).values().stream().map(Optional::of).toList();
    List<SessionEvent> events = merge(later, appended, Integer.MAX_VALUE, now);
    return new Changes(
        events, events.isEmpty() ? version : events.get(events.size() - 1).version());
  }

  private static int append(List<SessionEvent> events, List<Entry> entries, int from, long upTo) {
    int begun = from;
    int to = from;
    long chars = 0;
    while (to < entries.size() && entries.get(to).position() <= upTo) {
      chars += entries.get(to++).item().json().length();
      if (chars >= EVENT_CHARS) {
        events.add(new Appended(entries.get(to - 1).position(), entries.subList(begun, to)));
        begun = to;
        chars = 0;
      }
    }
    if (to > begun) {
      events.add(new Appended(entries.get(to - 1).position(), entries.subList(begun, to)));
    }
    return to;
  }

  private static <E extends Exception> void add(
      List<SessionEvent> events, Change change, History<E> history) throws E {
    long version = change.version();
    switch (change.kind()) {
      case REMOVED -> addRemoved(events, change);
      case EDITED -> {
        // If it is gone by now, its removal is among the changes that follow.
        Optional<Entry> entry = history.at(change.position());
        events.add(
            entry.isPresent()
                ? new SessionEvent.Edited(version, entry.get())
                : new Removed(version, List.of(change.position())));
      }
      case REPLACED ->
          events.add(
              new SessionEvent.Replaced(
                  version, change.position(), history.upTo(change.position())));
      case DESCRIBED -> events.add(new SessionEvent.Described(version));
      case CLEARED -> events.add(new SessionEvent.Cleared(version));
      default -> events.add(new SessionEvent.Reload(version));
    }
  }

  private static void addRemoved(List<SessionEvent> events, Change change) {
    int last = events.size() - 1;
    List<Long> positions = new ArrayList<>();
    if (last >= 0 && events.get(last) instanceof Removed before) {
      positions.addAll(before.positions());
      events.remove(last);
    }
    positions.add(change.position());
    events.add(new Removed(change.version(), positions));
  }
}
