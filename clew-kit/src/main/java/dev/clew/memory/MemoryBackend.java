package dev.clew.memory;

import dev.clew.Capability;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import dev.clew.kit.TextOrder;
import dev.clew.kit.state.DocumentTable;
import dev.clew.kit.state.Guard;
import dev.clew.kit.state.LeaseTable;
import dev.clew.kit.state.Sweeper;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Changes;
import dev.clew.spi.Fork;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.RecentItems;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** The sessions of a {@link MemoryStore}. Thread-safe. */
final class MemoryBackend
    implements Backend, RecentItems, ItemLookup, LastRemoval, NativeLeases, ChangePush {
  private static final int ERASE_STEP = 100;

  private final Clock clock;
  /*
   * One lock for the whole store: work under it takes microseconds, and lists, forks, fences and
   * erasure agree with the histories without lock ordering. Parsing, validating and scoring happen
   * outside.
   */
  private final Guard guard = new Guard("memory:");
  private final MemorySessions sessions;
  private final LeaseTable leases;
  private final DocumentTable documents;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Sweeper sweeper;

  MemoryBackend(Clock clock, Optional<Duration> timeToLive) {
    this.clock = Clock.tick(clock, Duration.ofMillis(1));
    this.sessions = new MemorySessions(timeToLive, this::changed);
    this.leases = new LeaseTable(guard, this.clock, held -> {});
    this.sweeper = new Sweeper(this::sweep);
    this.documents =
        new DocumentTable(guard, this.clock, sweeper::start, new DocumentTable.Keeper() {});
    if (timeToLive.isPresent()) {
      sweeper.start();
    }
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return guard.read(
        () -> sessions.find(key, now()).map(state -> state.page(range)).orElse(EntryPage.EMPTY));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return guard.read(
        () ->
            sessions
                .find(key, now())
                .map(state -> state.history().newestItems(limit))
                .orElse(List.of()));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return guard.read(
        () -> sessions.find(key, now()).flatMap(state -> state.history().find(itemId)));
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    if (!commit.isSealed()) {
      commit.items().forEach(Item::id); // parsed now, not under the lock
    }
    String digest = commit.operationId().isPresent() ? commit.digest() : "";
    return guard.write(
        () -> sessions.commit(key, commit, digest, lease -> leases.fence(key, lease), now()));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return guard.write(
        () -> {
          Optional<Entry> newest = read(key, Range.latest(1)).entries().stream().findFirst();
          newest.ifPresent(entry -> commit(key, Commit.removeItem(entry.position())));
          return newest;
        });
  }

  @Override
  public boolean delete(SessionKey key) {
    return guard.write(() -> sessions.delete(key, now()));
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return guard.write(() -> sessions.fork(fork, now()));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return guard.read(() -> sessions.info(key, now()));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    SessionInfo info = guard.write(() -> sessions.update(key, update, now()));
    if (info.timeToLive().isPresent()) {
      sweeper.start();
    }
    return info;
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return guard.read(() -> sessions.list(query, now()));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return guard.read(
        () -> {
          TreeSet<String> names = new TreeSet<>(TextOrder.BY_CODE_POINT);
          addFirst(names, sessions.owners(after, now()), limit);
          addFirst(names, documents.owners(after, now()), limit);
          return names.stream().limit(limit).toList();
        });
  }

  private static void addFirst(Set<String> names, Iterator<String> from, int limit) {
    for (int i = 0; i < limit && from.hasNext(); i++) {
      names.add(from.next());
    }
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return guard.read(() -> sessions.changes(key, version));
  }

  @Override
  public void attach(Listener listener) {
    listeners.add(listener);
  }

  private void changed(SessionKey key) {
    listeners.forEach(listener -> listener.changed(key));
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Documents documents() {
    return documents;
  }

  @Override
  public void erase(String owner) {
    boolean more = true;
    while (more) {
      more = guard.write(() -> sessions.erase(owner, ERASE_STEP));
    }
    guard.write(
        () -> {
          documents.erase(owner);
          leases.erase(owner);
          return owner;
        });
  }

  @Override
  public int sweep(int limit) {
    return guard.write(
        () -> {
          Instant now = now();
          int removed = 0;
          while (removed < limit && sweepOne(now)) {
            removed++;
          }
          return removed;
        });
  }

  private boolean sweepOne(Instant now) {
    Optional<SessionKey> session = sessions.sweepOne(now);
    session.ifPresent(key -> leases.forgetIdle(key, now));
    return session.isPresent() || documents.sweepOne(now);
  }

  @Override
  public void ping() {
    guard.requireOpen();
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(Durability.VOLATILE, Set.of(Capability.SEARCH, Capability.SEALED_ITEMS));
  }

  @Override
  public void close() {
    guard.close();
    sweeper.close();
  }

  private Instant now() {
    return clock.instant();
  }
}
