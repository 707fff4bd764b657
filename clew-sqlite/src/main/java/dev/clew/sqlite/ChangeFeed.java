package dev.clew.sqlite;

import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.Watch;
import dev.clew.kit.ChangeEvents;
import dev.clew.kit.ChangeEvents.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers changes of sessions to those who watch them. Thread-safe.
 *
 * <p>Nothing is queued for a subscriber. It has the version up to which it knows everything, and
 * what it has yet to be told is read from the file: rows above that number were appended, rows of
 * {@code clew_changes} above it say what else happened. So a slow subscriber costs no memory, and
 * one that comes back later or from another process is served in the same way. One thread serves
 * all; our own commits wake it, those of other processes it finds by looking every {@value
 * #LOOK_EVERY_NANOS} ns.
 */
final class ChangeFeed {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
  private static final long LOOK_EVERY_NANOS = 100_000_000;
  private static final long PAUSE_NANOS = 1_000_000_000;
  private static final int PAGE = 500;
  private static final String LAST_NUMBER =
      "SELECT seq FROM sqlite_sequence WHERE name = '{messages}'";

  /** How many changes that are not appends are kept, over all sessions. */
  static final int KEPT_CHANGES = 10_000;

  private final class Subscription implements Watch {
    final String sessionId;
    final Consumer<SessionEvent> listener;
    volatile boolean closed;
    // Used by the thread that delivers.
    long version;
    boolean exists;

    Subscription(String sessionId, long version, Consumer<SessionEvent> listener) {
      this.sessionId = sessionId;
      this.version = version;
      this.exists = version > 0;
      this.listener = listener;
    }

    @Override
    public void close() {
      closed = true;
      subscriptions.remove(this);
    }
  }

  private final Connections connections;
  private final TailCache cache;
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private @Nullable Thread thread;
  private boolean failed; // used by the thread only
  private volatile boolean woken;
  private volatile boolean closed;

  ChangeFeed(Connections connections, TailCache cache) {
    this.connections = connections;
    this.cache = cache;
  }

  Watch subscribe(String sessionId, long version, Consumer<SessionEvent> listener) {
    Subscription subscription = new Subscription(sessionId, version, listener);
    subscriptions.add(subscription);
    start();
    wake();
    return subscription;
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      thread = new Thread(this::run, "clew-sqlite-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** After a commit of our own. */
  void wake() {
    if (!subscriptions.isEmpty()) {
      woken = true;
      Thread waiting = thread;
      if (waiting != null) {
        LockSupport.unpark(waiting);
      }
    }
  }

  private void run() {
    long seen = -1;
    while (!closed) {
      try {
        boolean work = woken || failed;
        woken = false;
        failed = false;
        if (!subscriptions.isEmpty()) {
          long epoch = cache.epoch();
          work |= epoch != seen;
          seen = epoch;
        }
        if (work) {
          subscriptions.forEach(this::tell);
        }
      } catch (RuntimeException | Error e) { // or nobody would be told anything any more
        if (!closed) {
          failed = true;
          LOG.warn("could not look for changes; looking again", e);
        }
      }
      if (!woken && !closed) {
        LockSupport.parkNanos(this, failed ? PAUSE_NANOS : LOOK_EVERY_NANOS);
      }
    }
  }

  /** What goes wrong for one of them is not for the others to suffer. */
  private void tell(Subscription to) {
    try {
      deliver(to);
    } catch (RuntimeException | Error e) {
      if (!closed) {
        failed = true;
        LOG.warn("could not look for changes of session {}; looking again", to.sessionId, e);
      }
    }
  }

  private void deliver(Subscription to) {
    while (!to.closed && !closed) {
      List<SessionEvent> events =
          connections.read(db -> db.snapshot(snapshot -> since(snapshot, to)));
      for (SessionEvent event : events) {
        if (to.closed) {
          return;
        }
        to.version = event.version();
        to.exists = !(event instanceof SessionEvent.Cleared);
        try {
          to.listener.accept(event);
        } catch (RuntimeException | Error e) {
          LOG.error(
              "a listener of session {} failed; it is told of the next change", to.sessionId, e);
        }
      }
      if (events.isEmpty()) {
        return;
      }
    }
  }

  /** The next events after a version; empty when there are none. */
  private static List<SessionEvent> since(Db db, Subscription to) throws SQLException {
    String id = to.sessionId;
    long known = to.version;
    long version = db.number(0, "SELECT clew_version FROM {sessions} WHERE session_id = ?", id);
    long floor = db.number(0, "SELECT value FROM {our}meta WHERE name = 'change_floor'");
    List<Change> changes = changes(db, id, known);
    if (version == 0 && changes.isEmpty() && to.exists) {
      // Erased without a trace, or the trace is forgotten.
      return List.of(new SessionEvent.Cleared(db.number(known, LAST_NUMBER)));
    }
    long newest =
        Math.max(version, changes.isEmpty() ? 0 : changes.get(changes.size() - 1).version());
    if (newest <= known) {
      return List.of();
    }
    if (known < floor) {
      return List.of(new SessionEvent.Reload(newest));
    }
    return ChangeEvents.merge(
        changes,
        appended(db, id, known),
        PAGE,
        new ChangeEvents.History<SQLException>() {
          @Override
          public Optional<Entry> at(long position) throws SQLException {
            return HistoryReader.at(db, position);
          }

          @Override
          public List<Entry> upTo(long position) throws SQLException {
            return ChangeFeed.upTo(db, id, position);
          }
        });
  }

  private static List<Change> changes(Db db, String id, long after) throws SQLException {
    return db.all(
        "SELECT seq, kind, position FROM {our}changes WHERE session_id = ? AND seq > ?"
            + " ORDER BY seq LIMIT "
            + PAGE,
        row -> new Change(row.getLong(1), row.getString(2), row.getLong(3)),
        id,
        after);
  }

  private static List<Entry> appended(Db db, String id, long after) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    for (Optional<Entry> entry :
        db.all(
            "SELECT "
                + Rows.ENTRY_COLUMNS
                + " FROM {messages} WHERE session_id = ? AND id > ? ORDER BY id LIMIT "
                + PAGE,
            Rows::entry,
            id,
            after)) {
      entry.ifPresent(entries::add);
    }
    return entries;
  }

  private static List<Entry> upTo(Db db, String id, long position) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    for (Optional<Entry> entry :
        db.all(
            "SELECT "
                + Rows.ENTRY_COLUMNS
                + " FROM {messages} WHERE session_id = ? AND id <= ? ORDER BY id",
            Rows::entry,
            id,
            position)) {
      entry.ifPresent(entries::add);
    }
    return Collections.unmodifiableList(entries);
  }

  void close() {
    closed = true;
    subscriptions.clear();
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null && running != Thread.currentThread()) {
      LockSupport.unpark(running);
      try {
        running.join(5_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
