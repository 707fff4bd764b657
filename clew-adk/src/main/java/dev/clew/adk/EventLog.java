package dev.clew.adk;

import com.google.adk.events.Event;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionNotFoundException;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.adapter.ByIdentity;
import dev.clew.adapter.Framed;
import dev.clew.adapter.MessageFrame;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads and appends the events of sessions. Thread-safe. */
final class EventLog {
  private static final int ATTEMPTS = 100;
  private static final int FIRST_READ = 64;

  private final MessageFrame<Event> frame;
  private final SessionStates states;
  private final StaleCopies staleCopies;

  /** Up to which position each copy of a session has the history. */
  private final ByIdentity<Session, OptionalLong> copies = new ByIdentity<>();

  EventLog(MessageFrame<Event> frame, SessionStates states, StaleCopies staleCopies) {
    this.frame = frame;
    this.states = states;
    this.staleCopies = staleCopies;
  }

  /** Events, oldest first, and the position of the newest entry. */
  record Events(List<Event> events, OptionalLong tail) {}

  /** All events. */
  Events all(StoredSession session) {
    return newest(session, Integer.MAX_VALUE, false);
  }

  /**
   * The newest events, at least {@code most} of them if there are as many.
   *
   * @param turn whether the beginning of a turn must be among them
   */
  Events newest(StoredSession session, int most, boolean turn) {
    int limit = most > Integer.MAX_VALUE / 4 ? Integer.MAX_VALUE : FIRST_READ + 2 * most;
    while (true) {
      EntryPage page = session.entries(Range.latest(limit));
      List<Entry> entries = page.entries();
      int first = 0;
      while (page.hasMore() && first < entries.size() && continuesEvent(entries.get(first))) {
        first++;
      }
      List<Event> events = events(entries.subList(first, entries.size()));
      // What another program wrote may have begun earlier: the oldest does not count.
      if (!page.hasMore()
          || (events.size() > most
              && (!turn || events.stream().skip(1).anyMatch(EventLog::startsTurn)))) {
        return new Events(events, tail(entries));
      }
      limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2;
    }
  }

  private static boolean continuesEvent(Entry entry) {
    return entry.notes().get(EventCodec.NAME) instanceof Map<?, ?> note && note.containsKey("i");
  }

  private static OptionalLong tail(List<Entry> entries) {
    return entries.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(entries.get(entries.size() - 1).position());
  }

  private List<Event> events(List<Entry> entries) {
    List<Event> events = new ArrayList<>();
    for (Framed<Event> framed : frame.messages(entries)) {
      Event event = framed.message();
      if (event.id() == null || event.id().isEmpty()) { // another program wrote it
        Entry first = framed.entries().get(0);
        event.setId("clew-" + first.position());
        event.setInvocationId("");
        event.setTimestamp(first.addedAt().toEpochMilli());
      }
      events.add(event);
    }
    return events;
  }

  /** At most the newest events, but never less than the last turn: none begins in its middle. */
  static List<Event> lastTurns(List<Event> events, int most) {
    if (events.size() <= most) {
      return events;
    }
    for (int i = events.size() - most; i < events.size(); i++) {
      if (startsTurn(events.get(i))) {
        return events.subList(i, events.size());
      }
    }
    for (int i = events.size() - most; i >= 0; i--) {
      if (startsTurn(events.get(i))) {
        return events.subList(i, events.size());
      }
    }
    return events;
  }

  private static boolean startsTurn(Event event) {
    return "user".equals(event.author()) && event.functionResponses().isEmpty();
  }

  /** Notes up to where a copy has the history. */
  void loaded(Session copy, OptionalLong tail) {
    copies.put(copy, tail);
  }

  /** Appends an event, and its change of the state with it. */
  void append(StoredSession session, Session copy, Event event) {
    List<Draft> drafts = drafts(SessionStates.lasting(event));
    for (int attempt = 1; ; attempt++) {
      SessionInfo info = session.info().orElseThrow(() -> absent(copy));
      OptionalLong tail = tail(session.entries(Range.latest(1)).entries());
      OptionalLong known = copies.get(copy);
      if (!tail.equals(known) && isThere(session, copy, event, known)) {
        copies.put(copy, tail);
        return;
      }
      Commit commit = Commit.appendDrafts(drafts).operationId("adk-" + event.id());
      commit =
          tail.isPresent()
              ? commit.expectTail(tail.getAsLong())
              : commit.expectVersion(info.version());
      commit = states.change(info, copy.appName(), event).map(commit::document).orElse(commit);
      try {
        Receipt receipt = session.commit(commit);
        copies.put(copy, receipt.repeated() ? tail : receipt.lastPosition());
        return;
      } catch (ClewException.VersionConflict e) {
        boolean changed = session.info().map(now -> now.version() != info.version()).orElse(true);
        if (attempt == ATTEMPTS || !changed) {
          throw e;
        }
      }
    }
  }

  /** Whether others have written this event; fails if what they wrote makes the copy stale. */
  private boolean isThere(
      StoredSession session, Session copy, Event event, @Nullable OptionalLong known) {
    List<Event> newer = newer(session, copy, known);
    if (newer.stream().anyMatch(one -> one.id().equals(event.id()))) {
      return true;
    }
    boolean stale =
        newer.stream().anyMatch(one -> !Objects.equals(one.invocationId(), event.invocationId()));
    if (stale && staleCopies == StaleCopies.REFUSE) {
      throw new ClewException.VersionConflict(
          "this copy of session '"
              + copy.id()
              + "' of app '"
              + copy.appName()
              + "' is stale: another invocation has appended "
              + (newer.size() == 1 ? "an event" : newer.size() + " events")
              + " since it was loaded or last written; what this invocation wrote before stays."
              + " Load the session again, or set staleCopies(StaleCopies.APPEND)");
    }
    return false;
  }

  private List<Event> newer(StoredSession session, Session copy, @Nullable OptionalLong known) {
    if (known != null) {
      return events(session.entries(new Range(known, false, Integer.MAX_VALUE, false)).entries());
    }
    // A copy that this process has not loaded: it may have come over the network.
    List<Event> all = all(session).events();
    List<Event> had = copy.events();
    if (had.isEmpty()) {
      return all;
    }
    String last = had.get(had.size() - 1).id();
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).id().equals(last)) {
        return all.subList(i + 1, all.size());
      }
    }
    return all;
  }

  private static SessionNotFoundException absent(Session copy) {
    return new SessionNotFoundException(
        "session '"
            + copy.id()
            + "' of app '"
            + copy.appName()
            + "' and user '"
            + copy.userId()
            + "' does not exist; create it with createSession");
  }

  private List<Draft> drafts(Event event) {
    List<Draft> drafts = new ArrayList<>();
    for (Draft draft : frame.drafts(event)) {
      Map<String, Object> notes = draft.notes();
      if (draft.item().view() instanceof View.Reasoning reasoning
          && reasoning.encryptedContent().isPresent()) {
        notes = new HashMap<>(notes);
        notes.put("provider", "google"); // only its models can read the signature
      }
      Draft noted = new Draft(draft.item(), notes);
      drafts.add(event.timestamp() > 0 ? noted.at(Instant.ofEpochMilli(event.timestamp())) : noted);
    }
    return drafts;
  }
}
