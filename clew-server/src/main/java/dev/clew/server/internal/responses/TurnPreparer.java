package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Window;
import dev.clew.agent.HiddenItems;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.internal.wire.Entries;
import dev.clew.server.internal.wire.ItemPlaces;
import dev.clew.server.settings.TurnSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the session of a turn and what came before. Thread-safe. */
final class TurnPreparer {
  private static final Logger LOG = LoggerFactory.getLogger(TurnPreparer.class);
  private static final int CHUNK = 500;

  /** Of the history of a turn: all of it is in memory at once. */
  private static final long MOST_BYTES = Math.max(32 << 20, Runtime.getRuntime().maxMemory() / 16);

  /** How many calls may wait for a conversation; each blocks a thread. */
  private static final int MOST_WAITING = 64;

  private final SessionStore store;
  private final ResponseRecords responses;
  private final TurnEngine engine;
  private final TurnSettings settings;
  private final ItemPlaces places;
  private final Semaphore waiting = new Semaphore(MOST_WAITING);

  /**
   * A turn that may begin. Immutable; close it when the turn is over.
   *
   * @param home where the turn will be written; empty if it is not stored
   * @param history the items before the turn, as stored
   * @param input the new items
   * @param lease keeps other turns out; empty where none can come
   */
  record PreparedTurn(
      Optional<TurnTarget> home, List<Item> history, List<Item> input, Optional<Lease> lease)
      implements AutoCloseable {
    Optional<Commit.Fence> fence() {
      return lease.map(Lease::fence);
    }

    List<Item> context() {
      List<Item> all = new ArrayList<>(history);
      all.addAll(input);
      return all;
    }

    @Override
    public void close() {
      try {
        lease.ifPresent(Lease::close);
      } catch (ClewException e) { // the turn is stored, and the lease expires
        LOG.warn("could not release the lease of a turn", e);
      }
    }
  }

  TurnPreparer(
      SessionStore store, ResponseRecords responses, TurnEngine engine, TurnSettings settings) {
    this.store = store;
    this.responses = responses;
    this.engine = engine;
    this.settings = settings;
    this.places = new ItemPlaces(store);
  }

  /**
   * Begins a turn.
   *
   * @param id of the response, and of its session if it needs a new one
   * @param announced whether others may ask for the response before it is done
   * @param reader may remember the response to follow
   */
  PreparedTurn open(
      String owner, String id, CreateRequest request, boolean announced, Reader reader) {
    if (request.conversation().isPresent()) {
      return inConversation(owner, request);
    }
    request.checkPrompt();
    SessionKey fresh = new SessionKey(owner, id);
    Optional<List<Item>> remembered = request.previous().flatMap(reader::remembered);
    if (remembered.isPresent()) {
      return remembering(remembered.get(), fresh, request, announced);
    }
    if (request.previous().isPresent()) {
      StoredResponse previous = previous(owner, request.previous().get());
      return request.store()
          ? following(previous, fresh, request, announced)
          : turn(Optional.empty(), Optional.of(previous), request, Optional.empty());
    }
    Optional<TurnTarget> home =
        request.store() ? Optional.of(TurnTarget.own(fresh)) : Optional.empty();
    return turn(home, Optional.empty(), request, leaseOfNew(home, announced));
  }

  /**
   * Follows a response that was not stored. If this one is, its whole context is stored with it:
   * without, nobody could follow it.
   */
  private PreparedTurn remembering(
      List<Item> history, SessionKey fresh, CreateRequest request, boolean announced) {
    Set<String> ids = new HashSet<>();
    history.forEach(item -> item.id().ifPresent(ids::add));
    List<Item> input = resolved(ids::contains, request.input());
    if (!request.store()) {
      return new PreparedTurn(Optional.empty(), history, input, Optional.empty());
    }
    List<Item> all = new ArrayList<>(history);
    all.addAll(input);
    Optional<TurnTarget> home = Optional.of(TurnTarget.own(fresh));
    return new PreparedTurn(home, List.of(), all, leaseOfNew(home, announced));
  }

  /** The history, only to look at it. */
  List<Item> history(String owner, Optional<String> conversation, Optional<String> previous) {
    if (conversation.isPresent()) {
      return history(conversation(owner, conversation.get()).key(), OptionalLong.empty());
    }
    return previous.map(id -> history(previous(owner, id))).orElse(List.of());
  }

  private SessionInfo conversation(String owner, String id) {
    return store
        .session(ConversationIds.toKey(owner, id))
        .info()
        .orElseThrow(() -> ConversationIds.notFound(id));
  }

  private PreparedTurn inConversation(String owner, CreateRequest request) {
    SessionInfo info = conversation(owner, request.conversation().orElseThrow());
    SessionKey key = info.key();
    request.checkPrompt();
    Lease lease = awaitLease(key);
    try {
      if (Family.isOlder(info)) {
        new Family(store).makeCurrent(key);
      }
      return new PreparedTurn(
          Optional.of(TurnTarget.conversation(key)),
          history(key, OptionalLong.empty()),
          resolved(id -> places.find(key, id).isPresent(), request.input()),
          Optional.of(lease));
    } catch (RuntimeException | Error e) {
      lease.close();
      throw e;
    }
  }

  private Lease awaitLease(SessionKey key) {
    boolean mayWait = waiting.tryAcquire();
    try {
      return engine.take(key, mayWait ? settings.lockWait() : Duration.ZERO);
    } finally {
      if (mayWait) {
        waiting.release();
      }
    }
  }

  /** Only those who know the response can come to its session. */
  private Optional<Lease> leaseOfNew(Optional<TurnTarget> home, boolean announced) {
    return announced ? home.map(each -> engine.take(each.key(), Duration.ZERO)) : Optional.empty();
  }

  private StoredResponse previous(String owner, String id) {
    return responses
        .find(owner, id)
        .filter(StoredResponse::hasTurn)
        .filter(found -> store.session(found.home().key()).info().isPresent())
        .orElseThrow(
            () ->
                Problem.invalid(
                    "previous_response_not_found",
                    "previous_response_id",
                    "Previous response with id '" + id + "' not found."));
  }

  /**
   * A response is followed in its own session if nothing has followed it yet. Otherwise, and in a
   * conversation, the session is forked there.
   */
  private PreparedTurn following(
      StoredResponse previous, SessionKey fresh, CreateRequest request, boolean announced) {
    if (previous.home().own()) {
      SessionKey key = previous.home().key();
      Optional<Lease> lease = leaseIfFree(key);
      if (lease.isPresent()) {
        try {
          if (Entries.newest(store.session(key)).map(Entry::position).orElse(-1L)
              == previous.span().last()) {
            return turn(Optional.of(TurnTarget.own(key)), Optional.of(previous), request, lease);
          }
        } catch (RuntimeException | Error e) {
          lease.get().close();
          throw e;
        }
        lease.get().close();
      }
    }
    TurnTarget.ForkPoint point =
        new TurnTarget.ForkPoint(previous.home().key().id(), previous.span().last());
    Optional<TurnTarget> home = Optional.of(new TurnTarget(fresh, true, Optional.of(point)));
    return turn(home, Optional.of(previous), request, leaseOfNew(home, announced));
  }

  private Optional<Lease> leaseIfFree(SessionKey key) {
    try {
      return Optional.of(engine.take(key, Duration.ZERO));
    } catch (ClewException.SessionBusy e) { // another turn follows it now
      return Optional.empty();
    }
  }

  private PreparedTurn turn(
      Optional<TurnTarget> home,
      Optional<StoredResponse> previous,
      CreateRequest request,
      Optional<Lease> lease) {
    try {
      return new PreparedTurn(
          home,
          previous.map(this::history).orElse(List.of()),
          resolved(
              id -> previous.flatMap(each -> places.find(each.home().key(), id)).isPresent(),
              request.input()),
          lease);
    } catch (RuntimeException | Error e) {
      lease.ifPresent(Lease::close);
      throw e;
    }
  }

  private List<Item> history(StoredResponse previous) {
    return history(previous.home().key(), OptionalLong.of(previous.span().last() + 1));
  }

  /** The items before a position, oldest first, from the newest compaction on. */
  private List<Item> history(SessionKey key, OptionalLong before) {
    Deque<Item> history = new ArrayDeque<>();
    boolean compacted = false;
    Optional<SessionInfo> info = store.session(key).info();
    if (info.isEmpty()) {
      return List.of();
    }
    long bytes = 0;
    Range range = new Range(before, true, CHUNK, false);
    for (Entry entry : range.walk(part -> BoundedPage.read(store, info.get(), part))) {
      Item item = entry.item();
      bytes += item.json().length();
      if (bytes > MOST_BYTES) {
        throw tooLong();
      }
      if (compacted && !Window.isLeftByCompaction(item)) {
        break;
      }
      if (!HiddenItems.isHidden(entry)) {
        history.addFirst(item);
        compacted |= item.type().startsWith("compaction");
      }
    }
    return List.copyOf(history);
  }

  private static Problem tooLong() {
    return Problem.invalid(
        "context_length_exceeded",
        "input",
        "The conversation has more than "
            + (MOST_BYTES >> 20)
            + " MiB since it was compacted last, more than this server reads for a response;"
            + " compact it, or fork it from a later item.");
  }

  /** What {@link #history} would leave of these items. */
  static List<Item> fromNewestCompaction(List<Item> items) {
    Deque<Item> left = new ArrayDeque<>();
    boolean compacted = false;
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      if (compacted && !Window.isLeftByCompaction(item)) {
        break;
      }
      left.addFirst(item);
      compacted |= item.type().startsWith("compaction");
    }
    return List.copyOf(left);
  }

  /** The new items. References name items that are in the history already. */
  private static List<Item> resolved(Predicate<String> isInHistory, List<Item> input) {
    List<Item> items = new ArrayList<>(input.size());
    for (Item item : input) {
      String id = item.id().orElse("");
      boolean there = !id.isEmpty() && isInHistory.test(id);
      if (item.type().equals("item_reference")) {
        if (!there) {
          throw Problem.notFound(
              "Item with id '"
                  + id
                  + "' not found. Items are not persisted when `store` is set to false.");
        }
      } else if (there) {
        throw Problem.invalid(
            "invalid_value",
            "input",
            "Duplicate item found with id " + id + ". Remove it from your input and try again.");
      } else if (!item.type().equals("compaction_trigger")) {
        items.add(item);
      }
    }
    return items;
  }
}
