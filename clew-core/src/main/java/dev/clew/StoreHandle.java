package dev.clew;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The one implementation of {@link StoredSession}: a key and its store. Immutable. */
final class StoreHandle implements StoredSession {
  private static final int UNDO_PAGE = 64;
  private static final int ATTEMPTS = 100;

  private final SessionStore store;
  private final SessionKey key;
  private final SessionSettings settings;

  StoreHandle(SessionStore store, SessionKey key, SessionSettings settings) {
    this.store = store;
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
  public List<Item> getItems() {
    return store.items(key, settings.limit().orElse(Integer.MAX_VALUE));
  }

  @Override
  public List<Item> getItems(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    return store.items(key, limit);
  }

  @Override
  public void addItems(List<Item> items) {
    if (!items.isEmpty()) {
      store.commit(key, Commit.append(items));
    }
  }

  @Override
  public Optional<Item> popItem() {
    return store.removeLast(key).map(Entry::item);
  }

  @Override
  public void clearSession() {
    store.delete(key);
  }

  @Override
  public EntryPage entries(Range range) {
    return store.read(key, range);
  }

  @Override
  public Optional<Entry> find(String itemId) {
    return store.find(key, itemId);
  }

  @Override
  public Receipt commit(Commit commit) {
    return store.commit(key, commit);
  }

  @Override
  public CompletableFuture<Receipt> commitAsync(Commit commit) {
    Optional<AsyncCommits> async = store.feature(AsyncCommits.class);
    try {
      return async.isPresent()
          ? async.get().commitAsync(key, commit)
          : CompletableFuture.completedFuture(store.commit(key, commit));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public Optional<Entry> removeLast() {
    return store.removeLast(key);
  }

  @Override
  public boolean delete() {
    return store.delete(key);
  }

  @Override
  public List<Item> undoTurn() {
    for (int attempt = 1; ; attempt++) {
      List<Item> turn = lastTurn();
      if (turn.isEmpty()) {
        return turn;
      }
      try {
        store.commit(key, Commit.replaceSuffix(turn, List.of()));
        return turn;
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e; // somebody else writes to the end faster than we can read it
        }
      }
    }
  }

  private List<Item> lastTurn() {
    List<Item> turn = new ArrayList<>();
    Range range = Range.latest(UNDO_PAGE);
    while (true) {
      EntryPage page = store.read(key, range);
      List<Entry> entries = page.entries();
      for (int i = entries.size() - 1; i >= 0; i--) {
        Item item = entries.get(i).item();
        turn.add(0, item);
        if (Window.startsTurn(item)) {
          return List.copyOf(turn);
        }
      }
      if (!page.hasMore() || entries.isEmpty()) {
        return List.of(); // a turn begins with a user's message, and there is none
      }
      range = Range.before(entries.get(0).position(), UNDO_PAGE);
    }
  }

  @Override
  public void replaceHistory(List<Item> items) {
    for (int attempt = 1; ; attempt++) {
      List<Entry> newest = store.read(key, Range.latest(1)).entries();
      try {
        if (newest.isEmpty()) {
          begin(items);
        } else {
          store.commit(key, Commit.dropPrefix(newest.get(0).position(), items));
        }
        return;
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e; // others fill and empty it faster than we can read it
        }
      }
    }
  }

  /** Fills an empty history; the version tells whether it is still empty then. */
  private void begin(List<Item> items) {
    long version = info().map(SessionInfo::version).orElse(0L);
    if (version > 0) { // what was compacted and popped may still be there
      Commit drop = Commit.dropPrefix(Long.MAX_VALUE, List.of());
      version = store.commit(key, drop.expectVersion(version)).version();
    }
    if (!items.isEmpty()) {
      store.commit(key, Commit.append(items).expectVersion(version));
    }
  }

  @Override
  public boolean replaceItem(String itemId, Item replacement) {
    return store
        .find(key, itemId)
        .map(
            entry -> {
              Draft draft = new Draft(replacement, entry.notes());
              return store.commit(key, Commit.replaceItem(entry.position(), draft));
            })
        .isPresent();
  }

  @Override
  public boolean removeItem(String itemId) {
    return store
        .find(key, itemId)
        .map(entry -> store.commit(key, Commit.removeItem(entry.position())))
        .isPresent();
  }

  @Override
  public StoredSession fork(String newId, long upTo) {
    SessionKey target = new SessionKey(key.owner(), newId);
    store.fork(key, upTo, target);
    return store.session(target, settings);
  }

  @Override
  public SessionInfo forkTo(SessionKey target, long upTo) {
    return store.fork(key, upTo, target);
  }

  @Override
  public Optional<SessionInfo> info() {
    return store.info(key);
  }

  @Override
  public SessionInfo update(SessionUpdate update) {
    return store.update(key, update);
  }

  @Override
  public Watch watch(long version, Consumer<SessionEvent> listener) {
    return store.watch(key, version, listener);
  }

  @Override
  public Lease lease(String name, Duration timeToLive, Duration maxWait) {
    return Lease.acquire(store.leases(), key, name, timeToLive, maxWait);
  }

  @Override
  public String toString() {
    return "session " + key;
  }
}
