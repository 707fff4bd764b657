package dev.clew.server.internal.sessions;

import dev.clew.Entry;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Watch;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.chat.SessionTurns;
import dev.clew.server.internal.chat.TurnMarks;
import dev.clew.server.internal.http.EventStream;
import dev.clew.server.internal.runs.EventLog;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.Lanes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reader of a session's changes. Thread-safe.
 *
 * <p>Each committed change is an event whose id is the new version, so a returning reader misses
 * and repeats nothing. Between changes, without ids, come the events of the running turn: {@code
 * turn} when it begins or a reader joins, all its {@code delta}s, {@code step} when an item is
 * stored, and {@code turn} again at its end.
 *
 * <p>The store's thread only queues changes; they are formatted in the owner's lane. For a slow
 * reader the watch is closed, and reopened from the last version it received, so that little is
 * queued.
 */
final class LiveUpdates {
  private static final Logger LOG = LoggerFactory.getLogger(LiveUpdates.class);

  /** How many changes, and about how much text, may be queued. */
  private static final int MOST_UNTOLD = 32;

  private static final long LONGEST_UNTOLD = 1 << 20;

  private final SessionStore store;
  private final SessionKey key;
  private final TurnMarks marks;
  private final EventLogs logs;
  private final Lanes lanes;
  private final EventStream stream;
  private final UnaryOperator<Entry> shown;
  private final Deque<SessionEvent> untold = new ArrayDeque<>();
  private long untoldSize;
  private boolean telling;
  private long version;
  private int watching;
  private boolean paused;
  private boolean closed;
  private @Nullable Watch watch;
  private EventLogs.@Nullable Following following;
  private boolean looking;
  private boolean lookAgain;
  private volatile String lastTurn = ""; // written by the looking thread

  LiveUpdates(
      SessionStore store,
      SessionKey key,
      TurnMarks marks,
      EventLogs logs,
      Lanes lanes,
      EventStream stream,
      UnaryOperator<Entry> shown) {
    this.store = store;
    this.key = key;
    this.marks = marks;
    this.logs = logs;
    this.lanes = lanes;
    this.stream = stream;
    this.shown = shown;
  }

  void start(long from) {
    version = from;
    // A turn that ended before the first change is not news; any later one is.
    lastTurn = marks.last(key).filter(mark -> !mark.running()).map(TurnMarks.Mark::turn).orElse("");
    stream.onRoom(this::room);
    stream.onEnd(this::close);
    watch();
    later(this::joinTurn);
  }

  private void later(Runnable work) {
    lanes.execute(key.owner(), work);
  }

  private synchronized void watch() {
    if (!closed) {
      int number = ++watching;
      paused = false;
      watch = store.session(key).watch(version, event -> changed(number, event));
    }
  }

  private synchronized void changed(int number, SessionEvent event) {
    if (number != watching || closed) {
      return; // of a closed watch
    }
    if (untold.size() == MOST_UNTOLD || untoldSize > LONGEST_UNTOLD) {
      pause();
      return;
    }
    untold.add(event);
    untoldSize += size(event);
    if (!telling) {
      telling = true;
      later(this::tell);
    }
  }

  /** Closes the watch until the reader has caught up. */
  private void pause() {
    watching++;
    paused = true;
    closeWatch();
  }

  private void tell() {
    Optional<SessionEvent> next = next();
    if (next.isEmpty()) {
      return;
    }
    SessionEvent event = next.get();
    try {
      Message message = message(event); // without the lock, which the store's thread takes
      synchronized (this) {
        stream.send(String.valueOf(event.version()), message.name(), message.data());
        version = event.version();
      }
      later(this::joinTurn); // a turn begins with a change, whatever it does
    } catch (Throwable e) { // errors too: the reader comes back and resumes
      LOG.warn("could not send a change: {}", e.toString());
      stream.end();
      return;
    }
    later(this::tell);
  }

  /** The change to send now; empty if there is none or the reader is full. */
  private synchronized Optional<SessionEvent> next() {
    boolean wanted = !closed && !(untold.isEmpty() && !paused) && stream.hasRoom();
    SessionEvent event = wanted ? untold.poll() : null;
    if (event != null) {
      untoldSize -= size(event);
      return Optional.of(event);
    }
    telling = false;
    if (wanted) {
      watch(); // nothing is queued any more
    } else if (!untold.isEmpty()) {
      untold.clear();
      untoldSize = 0;
      pause();
    }
    return Optional.empty();
  }

  private static List<Entry> entries(SessionEvent event) {
    if (event instanceof SessionEvent.Appended appended) {
      return appended.entries();
    } else if (event instanceof SessionEvent.Replaced replaced) {
      return replaced.entries();
    }
    return event instanceof SessionEvent.Edited edited ? List.of(edited.entry()) : List.of();
  }

  private static long size(SessionEvent event) {
    return entries(event).stream().mapToLong(entry -> entry.item().json().length()).sum();
  }

  private void closeWatch() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private void room() {
    EventLogs.@Nullable Following turn;
    synchronized (this) {
      turn = following;
      if (paused && !telling) {
        watch();
      }
    }
    if (turn != null) {
      turn.run();
    }
  }

  private void close() {
    EventLogs.@Nullable Following turn;
    synchronized (this) {
      closed = true;
      closeWatch();
      turn = following;
      following = null;
    }
    if (turn != null) {
      turn.close();
    }
  }

  /** Looks for a turn to join, one look at a time; repeats the look if asked meanwhile. */
  private void joinTurn() {
    synchronized (this) {
      lookAgain = true;
      if (looking) {
        return;
      }
      looking = true;
    }
    while (true) {
      synchronized (this) {
        if (!lookAgain || closed || following != null) {
          looking = false;
          return;
        }
        lookAgain = false;
      }
      try {
        marks
            .last(key)
            .map(TurnMarks.Mark::turn)
            .filter(turn -> !turn.equals(lastTurn))
            .ifPresent(this::join);
      } catch (RuntimeException e) {
        LOG.warn("could not look up the running turn: {}", e.toString());
      }
    }
  }

  /* Without the lock while following a log, which has its own lock and calls back. */
  private void join(String turn) {
    lastTurn = turn;
    stream.send("turn", turn(turn, "running"));
    Outlet outlet = new Outlet(turn);
    EventLogs.Following joined =
        logs.follow(SessionTurns.runKey(key, turn), -1, outlet, outlet::abandoned);
    boolean leave;
    synchronized (this) {
      leave = closed;
      following = leave || outlet.ended ? null : joined;
    }
    if (leave) {
      joined.close();
    }
  }

  private static String turn(String turn, String state) {
    return new JsonObject().put("turn_id", turn).put("state", state).toString();
  }

  /** Forwards the events of a turn that changes do not contain. */
  private final class Outlet implements EventLogs.Outlet {
    private final String turn;
    private String state = "done";
    private boolean suspected;
    private volatile boolean ended;

    Outlet(String turn) {
      this.turn = turn;
    }

    @Override
    public boolean hasRoom() {
      return stream.hasRoom();
    }

    @Override
    public void send(EventLog.Event event) {
      Map<String, String> fields = Json.fields(event.data());
      switch (event.name()) {
        case "delta" -> forward("delta", fields);
        case "item" -> {
          fields.remove("item"); // a change contains it, with its position and notes
          fields.remove("notes");
          forward("step", fields);
        }
        case "approval" -> {
          state = "waiting";
          forward("approval", fields);
        }
        case "queued", "withdrawn" -> stream.send(event.name(), event.data());
        case "done" -> state = fields.containsKey("stopped") ? "stopped" : state;
        case "error" -> {
          state = "failed";
          forward("error", fields);
        }
        default -> {
          // Not for readers of the session.
        }
      }
    }

    private void forward(String name, Map<String, String> fields) {
      JsonObject data = new JsonObject().put("turn_id", turn);
      fields.forEach(data::raw);
      stream.send(name, data.toString());
    }

    @Override
    public void end() {
      stream.send("turn", turn(turn, state));
      ended = true;
      later(LiveUpdates.this::leaveTurn);
    }

    /**
     * Confirmed by a second call, because a turn unlocks its session just before its last event.
     */
    Optional<List<EventLog.Event>> abandoned(long heard) {
      boolean failed = marks.isAbandoned(key, turn);
      if (!failed && !marks.isOver(key, turn)) {
        suspected = false;
        return Optional.empty();
      }
      if (!suspected) {
        suspected = true;
        return Optional.empty();
      }
      state = failed ? "failed" : state;
      return Optional.of(List.of());
    }
  }

  private void leaveTurn() {
    synchronized (this) {
      following = null;
    }
    joinTurn(); // the next turn may have begun
  }

  private record Message(String name, String data) {}

  private Message message(SessionEvent event) {
    JsonObject data = new JsonObject().put("version", event.version());
    List<JsonObject> entries = entries(event).stream().map(shown).map(SessionJson::entry).toList();
    String name = "reload";
    if (event instanceof SessionEvent.Appended) {
      name = "appended";
      data.putAll("entries", entries);
    } else if (event instanceof SessionEvent.Removed removed) {
      name = "removed";
      data.put("positions", removed.positions());
    } else if (event instanceof SessionEvent.Edited) {
      name = "edited";
      data.put("entry", entries.get(0));
    } else if (event instanceof SessionEvent.Replaced replaced) {
      name = "replaced";
      data.put("up_to", replaced.upTo()).putAll("entries", entries);
    } else if (event instanceof SessionEvent.Described) {
      name = "described";
    } else if (event instanceof SessionEvent.Cleared) {
      name = "cleared";
    }
    return new Message(name, data.toString());
  }
}
