package dev.clew.adapter;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one session. Thread-safe, also across processes: what several writers append is
 * all kept.
 *
 * <p>Each change is one atomic commit. Whatever a list memory drops from its list stays in the
 * history of the session, and what it edits stays in the compacted history.
 *
 * @param <M> the framework's type of messages
 */
public final class SessionMemory<M> {
  private static final int ATTEMPTS = 8;
  private static final int MOST_RECENT = 256;

  private final Memories<M> memories;
  private final StoredSession session;

  SessionMemory(Memories<M> memories, StoredSession session) {
    this.memories = memories;
    this.session = session;
  }

  /** The session. */
  public SessionKey key() {
    return session.key();
  }

  /** What a model is shown. {@link #save} by the same thread compares a list with this. */
  public List<M> messages() {
    Reading<M> reading = read();
    memories.lastRead.set(new Memories.LastRead<>(key(), reading));
    return reading.messages();
  }

  /**
   * The same for a program that saves on other threads than it reads on, with {@link
   * #saveFromAnyThread}.
   */
  public List<M> messagesForAnyThread() {
    return read().messages();
  }

  /** The same when a new turn begins: without calls that wait for a result. */
  public List<M> messagesOfNewTurn() {
    List<Framed<M>> messages = read().framed();
    return (memories.repair ? ToolPairs.repaired(messages, memories.codec, false) : messages)
        .stream().map(Framed::message).toList();
  }

  private Reading<M> read() {
    Reading<M> known = known();
    Window window = memories.window;
    Reading<M> reading =
        window == null
            ? memories.reader.list(session, known)
            : memories.reader.window(session, window, known);
    memories.recent.put(key(), reading);
    return reading;
  }

  private Reading<M> known() {
    Reading<M> known = memories.recent.get(key());
    return known == null ? Reading.empty() : known;
  }

  /** Appends messages. A system message that is already the newest one is not repeated. */
  public void add(List<M> messages) {
    if (messages.isEmpty()) {
      return;
    }
    Reading<M> known = memories.recent.get(key());
    if (known == null) {
      known = read();
    }
    List<M> added = new ArrayList<>(messages);
    added.removeIf(new NewestSystem<>(memories.codec, known)::isRepeatedBy);
    List<Integer> pins = new ArrayList<>();
    for (int i = 0; i < added.size() && memories.window != null; i++) {
      if (memories.codec.isSystem(added.get(i))) {
        pins = List.of(i);
      }
    }
    ListView view = known.view();
    if (!pins.isEmpty()) {
      view = new ListView(view.after(), view.first(), List.of(), view.hidden());
    }
    append(added, pins, view, known.newest(MOST_RECENT));
  }

  /** Makes this the list of messages, by appending what is new. */
  public void save(List<M> list) {
    Memories.LastRead<M> last = memories.lastRead.get();
    memories.lastRead.remove();
    if (last != null && last.key().equals(key())) {
      save(list, last.reading(), true);
    } else {
      saveFromAnyThread(list);
    }
  }

  /**
   * As {@link #save}, if the list was not read by this thread. What the saver had read is not known
   * then, so a message that is missing at the end is not taken for a removed one.
   */
  public void saveFromAnyThread(List<M> list) {
    Reading<M> known = known();
    if (knowsAny(known, list)) {
      save(list, known, false);
    } else {
      save(list, read(), true);
    }
  }

  private static <M> boolean knowsAny(Reading<M> known, List<M> list) {
    var byMessage = known.byMessage();
    return list.stream().anyMatch(byMessage::containsKey);
  }

  private void save(List<M> list, Reading<M> stored, boolean exact) {
    ListPlan<M> plan = ListPlan.of(stored, exact, list, memories.codec);
    if (plan.rewrites()) {
      rewrite(plan, stored);
    } else if (!plan.added().isEmpty()) {
      append(plan.added(), plan.newPins(), plan.view(), stored);
    } else if (!plan.view().equals(stored.view())) {
      note(plan.view());
    }
  }

  private void append(List<M> added, List<Integer> pins, ListView view, Reading<M> stored) {
    List<List<Draft>> groups = added.stream().map(memories.frame::drafts).toList();
    List<Draft> drafts = new ArrayList<>();
    List<Integer> pinned = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      if (pins.contains(i)) {
        pinned.add(drafts.size());
      }
      drafts.addAll(groups.get(i));
    }
    if (drafts.isEmpty()) {
      return;
    }
    Map<String, Object> note = view.note(pinned);
    if (!note.isEmpty()) {
      drafts.set(0, noted(drafts.get(0), note));
    }
    Receipt receipt = commitTurn(Commit.appendDrafts(drafts), drafts);
    long first = receipt.firstPosition().orElseThrow();
    List<Framed<M>> appended = framed(added, groups, drafts, first);
    memories.tails.appended(
        key(), receipt, appended.stream().flatMap(one -> one.entries().stream()).toList());
    memories.recent.put(key(), stored.plus(appended, ListView.of(draftNote(note), first)));
  }

  private static Map<String, Object> draftNote(Map<String, Object> note) {
    return note.isEmpty() ? note : new Draft(Item.user(""), note).notes();
  }

  private static <M> List<Framed<M>> framed(
      List<M> added, List<List<Draft>> groups, List<Draft> drafts, long first) {
    List<Framed<M>> appended = new ArrayList<>(added.size());
    Instant now = Instant.now();
    int next = 0;
    for (int i = 0; i < groups.size(); i++) {
      List<Entry> entries = new ArrayList<>();
      for (int j = 0; j < groups.get(i).size(); j++, next++) {
        Draft draft = drafts.get(next);
        entries.add(new Entry(first + next, draft.item(), now, draft.notes(), false));
      }
      appended.add(new Framed<>(added.get(i), entries, true));
    }
    return appended;
  }

  private Draft noted(Draft draft, Map<String, Object> view) {
    return new Draft(
        draft.item(),
        FrameNote.with(memories.codec.framework(), draft.notes(), view),
        draft.addedAt());
  }

  /** Waits for the turn before this one, if that is wanted. */
  private Receipt commitTurn(Commit commit, List<Draft> drafts) {
    TurnLeases turns = memories.turns;
    if (turns == null) {
      return session.commit(commit);
    }
    if (drafts.stream().anyMatch(draft -> Window.startsTurn(draft.item()))) {
      turns.begin(key());
    }
    boolean done = true;
    try {
      Receipt receipt = session.commit(commit);
      done = isAnswer(drafts.get(drafts.size() - 1).item());
      return receipt;
    } finally {
      if (done) {
        turns.end(key());
      }
    }
  }

  private static boolean isAnswer(Item item) {
    return item.view() instanceof View.Message message && message.role() == Role.ASSISTANT;
  }

  /** Replaces the list; what was appended since it was read stays behind it. */
  private void rewrite(ListPlan<M> plan, Reading<M> stored) {
    List<Draft> drafts = new ArrayList<>();
    int next = 0;
    for (@Nullable Framed<M> kept : plan.list()) {
      drafts.addAll(
          kept == null
              ? memories.frame.drafts(plan.added().get(next++))
              : kept.drafts(memories.codec.framework()));
    }
    session.commit(Commit.replacePrefixDrafts(stored.tail().orElseThrow(), drafts));
    forget();
  }

  /** Notes a view when nothing is appended: beside the newest item, which stays as it is. */
  private void note(ListView view) {
    for (int attempt = 1; ; attempt++) {
      OptionalLong version = session.info().stream().mapToLong(SessionInfo::version).findFirst();
      List<Entry> newest = session.entries(Range.latest(1)).entries();
      if (version.isEmpty() || newest.isEmpty()) {
        return;
      }
      try {
        Entry entry = newest.get(0);
        session.commit(
            Commit.replaceItem(entry.position(), noted(Draft.of(entry), view.note(List.of())))
                .expectVersion(version.getAsLong()));
        forget();
        return;
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void forget() {
    memories.recent.remove(key());
    memories.tails.forget(key());
  }

  /** Deletes the session. */
  public void clear() {
    memories.lastRead.remove();
    session.delete();
    forget();
    if (memories.turns != null) {
      memories.turns.end(key());
    }
  }

  /** The system message that is in force. */
  private record NewestSystem<M>(MessageCodec<M> codec, Reading<M> known) {
    boolean isRepeatedBy(M message) {
      if (!codec.isSystem(message)) {
        return false;
      }
      Framed<M> newest = null;
      for (Framed<M> one : known.framed()) {
        newest = codec.isSystem(one.message()) ? one : newest;
      }
      return newest != null && newest.text(codec).equals(codec.write(message));
    }
  }
}
