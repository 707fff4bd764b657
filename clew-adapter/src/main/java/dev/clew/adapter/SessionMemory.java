package dev.clew.adapter;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.DocumentPut;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
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
  private static final int MOST_RECENT = 256;
  private static final int ATTEMPTS = 20;
  private static final Receipt NOTHING =
      new Receipt(0, OptionalLong.empty(), OptionalLong.empty(), false);

  private final Memories<M> memories;
  private final StoredSession session;
  private final Optional<DocumentPut> document;

  SessionMemory(Memories<M> memories, StoredSession session) {
    this(memories, session, Optional.empty());
  }

  private SessionMemory(
      Memories<M> memories, StoredSession session, Optional<DocumentPut> document) {
    this.memories = memories;
    this.session = session;
    this.document = document;
  }

  /**
   * The same memory, whose writes also write this document of the session's owner: in the same
   * commit if there are messages to write, see {@link Commit#document}.
   */
  public SessionMemory<M> withDocument(String name, String json) {
    return new SessionMemory<>(
        memories,
        session,
        Optional.of(
            new DocumentPut(name, OptionalLong.empty(), Optional.empty(), receipt -> json)));
  }

  private Commit withDocument(Commit commit) {
    return document.map(commit::document).orElse(commit);
  }

  private void writeDocument() {
    document.ifPresent(
        put ->
            memories
                .store()
                .documents()
                .put(
                    key().owner(),
                    put.name(),
                    put.json().apply(NOTHING),
                    put.expectedVersion(),
                    put.timeToLive()));
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

  /** What a model is shown, to be compared later with a list, on any thread. */
  public Reading<M> read() {
    Window window = memories.window;
    Reading<M> reading =
        window == null
            ? memories.reader.list(session, known().framed().size())
            : memories.reader.window(session, window);
    memories.recent.put(key(), reading);
    return reading;
  }

  private Reading<M> known() {
    Reading<M> known = memories.recent.get(key());
    return known == null ? Reading.empty() : known;
  }

  /**
   * Begins a turn, after waiting for the one before. What is read until the turn is closed has the
   * answer of that one, and what this process adds belongs to it.
   *
   * @throws IllegalStateException without a {@link Memories.Builder#turnLease}
   */
  public Turn turn() {
    TurnLeases turns = memories.turns;
    if (turns == null) {
      throw new IllegalStateException("turns wait for each other only with a turnLease");
    }
    return turns.hold(key());
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
    append(messages, known);
  }

  private void append(List<M> messages, Reading<M> known) {
    Reading<M> now = known;
    for (int attempt = 1; ; attempt++) {
      List<M> added = new ArrayList<>(messages);
      added.removeIf(new NewestSystem<>(memories.codec, now)::isRepeatedBy);
      if (attempt == ATTEMPTS || added.stream().noneMatch(memories.codec::isSystem)) {
        append(added, now, UnaryOperator.identity());
        return;
      }
      try { // two that begin a session at the same moment store its system message once
        append(added, now, nothingSince(now));
        return;
      } catch (ClewException.VersionConflict e) {
        now = read();
      }
    }
  }

  private UnaryOperator<Commit> nothingSince(Reading<M> known) {
    if (known.tail().isPresent()) {
      return commit -> commit.expectTail(known.tail().getAsLong());
    }
    long version = session.info().map(SessionInfo::version).orElse(0L);
    if (version > 0 && read().tail().isPresent()) {
      throw new ClewException.VersionConflict("others have begun the session");
    }
    return commit -> commit.expectVersion(version);
  }

  private void append(List<M> added, Reading<M> known, UnaryOperator<Commit> condition) {
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
    append(added, pins, view, known.newest(MOST_RECENT), condition);
  }

  /** Makes this the list of messages, by appending what is new. */
  public void save(List<M> list) {
    Memories.LastRead<M> last = memories.lastRead.get();
    memories.lastRead.remove();
    if (last != null && last.key().equals(key())) {
      save(list, last.reading());
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

  /** As {@link #save}, if the saver had read this. Returns what the list is afterwards. */
  public Reading<M> save(List<M> list, Reading<M> read) {
    return save(list, read, true);
  }

  /**
   * Adds messages with ids that are not there yet, and writes those that have changed under their
   * ids; removes nothing. For a saver that may not have read what is stored.
   */
  public void merge(List<M> list) {
    Reading<M> stored = edits().write(list, read());
    Set<String> ids = new HashSet<>();
    stored.framed().forEach(one -> memories.codec.id(one.message()).ifPresent(ids::add));
    append(
        list.stream()
            .filter(one -> memories.codec.id(one).filter(ids::contains).isEmpty())
            .toList(),
        stored);
  }

  private Edits<M> edits() {
    return new Edits<>(memories, session);
  }

  private Reading<M> save(List<M> list, Reading<M> read, boolean exact) {
    Reading<M> stored = edits().write(list, read);
    ListPlan<M> plan = ListPlan.of(stored, exact, list, memories.codec);
    if (plan.rewrites()) {
      rewrite(plan, stored);
      return read().upTo(stored.tail()); // others may have appended since
    }
    if (!plan.added().isEmpty()) {
      return append(plan.added(), plan.newPins(), plan.view(), stored, UnaryOperator.identity());
    }
    if (!plan.view().equals(stored.view())) {
      edits().note(plan.view());
    }
    writeDocument();
    return stored.showing(plan.view());
  }

  private Reading<M> append(
      List<M> added,
      List<Integer> pins,
      ListView view,
      Reading<M> stored,
      UnaryOperator<Commit> condition) {
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
      writeDocument();
      return stored;
    }
    Map<String, Object> note = view.note(pinned);
    if (!note.isEmpty()) {
      drafts.set(0, edits().noted(drafts.get(0), note));
    }
    Receipt receipt =
        commitTurn(condition.apply(withDocument(Commit.appendDrafts(drafts))), drafts);
    long first = receipt.firstPosition().orElseThrow();
    List<Framed<M>> appended = framed(added, groups, drafts, first);
    memories.tails.appended(
        key(), appended.stream().flatMap(one -> one.entries().stream()).toList());
    memories.decoded.add(key(), appended);
    Reading<M> now = stored.plus(appended, ListView.of(draftNote(note), first));
    memories.recent.put(key(), now);
    return now;
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
    session.commit(withDocument(Commit.replacePrefixDrafts(stored.tail().orElseThrow(), drafts)));
    memories.forget(key());
  }

  /** Deletes the session. */
  public void clear() {
    memories.lastRead.remove();
    session.delete();
    memories.forget(key());
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
