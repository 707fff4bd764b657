package dev.clew.kit;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Watch;
import dev.clew.Window;
import dev.clew.spi.Fork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The one implementation of {@link StoredSession}: a key and its backend. Immutable. */
final class BackendSession implements StoredSession {
  private static final int UNDO_PAGE = 64;

  private final SessionStore store;
  private final CompleteBackend backend;
  private final SessionKey key;
  private final SessionSettings settings;

  BackendSession(
      SessionStore store, CompleteBackend backend, SessionKey key, SessionSettings settings) {
    this.store = store;
    this.backend = backend;
    this.key = Objects.requireNonNull(key, "key");
    this.settings = settings;
  }

  @Override
  public String id() {
    return key.id();
  }

  @Override
  public SessionKey key() {
    return key;
  }

  @Override
  public SessionStore store() {
    return store;
  }

  @Override
  public SessionSettings settings() {
    return settings;
  }

  @Override
  public StoredSession with(SessionSettings others) {
    return new BackendSession(store, backend, key, others);
  }

  @Override
  public List<Item> getItems() {
    return backend.items(key, settings.limit().orElse(Integer.MAX_VALUE));
  }

  @Override
  public List<Item> getItems(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    return backend.items(key, limit);
  }

  @Override
  public void addItems(List<Item> items) {
    if (!items.isEmpty()) {
      backend.commit(key, Commit.append(items));
    }
  }

  @Override
  public Optional<Item> popItem() {
    return backend.removeLast(key).map(Entry::item);
  }

  @Override
  public void clearSession() {
    backend.delete(key);
  }

  @Override
  public EntryPage entries(Range range) {
    return backend.read(key, range);
  }

  @Override
  public Optional<Entry> find(String itemId) {
    return backend.find(key, itemId);
  }

  @Override
  public Receipt commit(Commit commit) {
    return backend.commit(key, commit);
  }

  @Override
  public CompletableFuture<Receipt> commitAsync(Commit commit) {
    return backend.commitAsync(key, commit);
  }

  @Override
  public Optional<Entry> removeLast() {
    return backend.removeLast(key);
  }

  @Override
  public boolean delete() {
    return backend.delete(key);
  }

  @Override
  public List<Item> undoTurn() {
    return Contended.repeat(
        () -> {
          List<Item> turn = lastTurn();
          if (!turn.isEmpty()) {
            backend.commit(key, Commit.replaceSuffix(turn, List.of()));
          }
          return turn;
        });
  }

  private List<Item> lastTurn() {
    List<Item> turn = new ArrayList<>();
    for (Entry entry : Range.latest(UNDO_PAGE).walk(range -> backend.read(key, range))) {
      turn.add(0, entry.item());
      if (Window.startsTurn(entry.item())) {
        return List.copyOf(turn);
      }
    }
    return List.of(); // a turn begins with a user's message, and there is none
  }

  @Override
  public void replaceHistory(List<Item> items) {
    if (items.isEmpty()) {
      MadeTitles.remove(this); // first, so that a file rewritten below keeps nothing of it
    }
    Contended.repeat(
        () -> {
          List<Entry> newest = backend.read(key, Range.latest(1)).entries();
          if (newest.isEmpty()) {
            begin(items);
          } else {
            backend.commit(key, Commit.dropPrefix(newest.get(0).position(), items));
          }
          return items;
        });
  }

  /** Fills an empty history, on the condition that its version has not changed. */
  private void begin(List<Item> items) {
    long version = info().map(SessionInfo::version).orElse(0L);
    if (version > 0) { // compacted entries may still be there
      Commit drop = Commit.dropPrefix(Long.MAX_VALUE, List.of());
      version = backend.commit(key, drop.expectVersion(version)).version();
    }
    if (!items.isEmpty()) {
      backend.commit(key, Commit.append(items).expectVersion(version));
    }
  }

  @Override
  public boolean replaceItem(String itemId, Item replacement) {
    return backend
        .find(key, itemId)
        .map(
            entry -> {
              Draft draft = new Draft(replacement, entry.notes());
              return backend.commit(key, Commit.replaceItem(entry.position(), draft));
            })
        .isPresent();
  }

  @Override
  public boolean removeItem(String itemId) {
    return backend
        .find(key, itemId)
        .map(entry -> backend.commit(key, Commit.removeItem(entry.position())))
        .isPresent();
  }

  @Override
  public StoredSession fork(String newId, long upTo) {
    SessionKey target = new SessionKey(key.owner(), newId);
    backend.fork(new Fork(key, upTo, target));
    return new BackendSession(store, backend, target, settings);
  }

  @Override
  public SessionInfo forkTo(SessionKey target, long upTo) {
    return backend.fork(new Fork(key, upTo, target));
  }

  @Override
  public Optional<SessionInfo> info() {
    return backend.info(key);
  }

  @Override
  public SessionInfo update(SessionUpdate update) {
    return backend.update(key, update);
  }

  @Override
  public Watch watch(long version, Consumer<SessionEvent> listener) {
    return backend.watch(key, version, listener);
  }

  @Override
  public Lease lease(String name, Duration timeToLive, Duration maxWait) {
    return Lease.acquire(backend.leases(), key, name, timeToLive, maxWait);
  }

  @Override
  public String toString() {
    return "session " + key;
  }
}
