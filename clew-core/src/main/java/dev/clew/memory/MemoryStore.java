package dev.clew.memory;

import dev.clew.Capability;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.ForkTransform;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionSettings;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import dev.clew.internal.CommitInTurn;
import dev.clew.internal.DocumentRules;
import dev.clew.internal.Expiry;
import dev.clew.internal.Pairing;
import dev.clew.internal.SearchBudget;
import dev.clew.internal.TextOrder;
import dev.clew.internal.session.DocumentTable;
import dev.clew.internal.session.Guard;
import dev.clew.internal.session.LeaseTable;
import dev.clew.internal.session.Reading;
import dev.clew.internal.session.SessionSearch;
import dev.clew.internal.session.SessionState;
import dev.clew.internal.session.Sweeper;
import dev.clew.internal.session.Transactions;
import dev.clew.internal.session.Watchers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A store in this process's memory: the whole contract, and nothing of it outlives the store.
 * Thread-safe; every operation takes effect at one instant between its call and its return, apart
 * from searches, checks and erasures, which go through the sessions one by one.
 *
 * <pre>{@code
 * try (SessionStore store = new MemoryStore()) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 */
public final class MemoryStore implements SessionStore {
  private static final int ERASE_STEP = 100;

  private final Clock clock;
  private final SessionSettings settings;
  private final ItemLimits limits;
  private final Optional<Duration> defaultTimeToLive;
  /*
   * One lock for the whole store: what is done under it takes microseconds, and it makes lists,
   * forks, fences and erasure agree with the histories without any ordering of locks. Parsing,
   * validating, scoring and calling others all happen outside.
   */
  private final Guard guard = new Guard("memory:");
  private final MemorySessions sessions;
  private final LeaseTable leases;
  private final DocumentTable records;
  private final Watchers watchers;
  private final Sweeper sweeper;

  /** An empty store with the system's clock, no default limit, and sessions that never expire. */
  public MemoryStore() {
    this(builder());
  }

  private MemoryStore(Builder builder) {
    this.clock = Clock.tick(builder.clock, Duration.ofMillis(1));
    this.settings = builder.settings;
    this.limits = builder.limits;
    this.defaultTimeToLive = builder.timeToLive;
    this.watchers = new Watchers(this::news);
    this.sessions = new MemorySessions(builder.timeToLive, watchers::changed);
    this.leases = new LeaseTable(guard, clock, held -> {});
    this.sweeper = new Sweeper(this::sweep);
    this.records = new DocumentTable(guard, clock, sweeper::start, new DocumentTable.Keeper() {});
    if (builder.timeToLive.isPresent()) {
      sweeper.start();
    }
  }

  /** For a store with settings of its own. */
  public static Builder builder() {
    return new Builder();
  }

  /** The settings of a store. Not thread-safe. */
  public static final class Builder {
    private Clock clock = Clock.systemUTC();
    private SessionSettings settings = SessionSettings.DEFAULT;
    private ItemLimits limits = ItemLimits.STORE;
    private Optional<Duration> timeToLive = Optional.empty();

    private Builder() {}

    /** Where the store takes the time from; it orders nothing. */
    public Builder clock(Clock value) {
      clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /** How sessions are read when the caller does not say. */
    public Builder settings(SessionSettings value) {
      settings = Objects.requireNonNull(value, "settings");
      return this;
    }

    /** How large an item may be; {@link ItemLimits#STORE} unless set. */
    public Builder limits(ItemLimits value) {
      limits = Objects.requireNonNull(value, "limits");
      return this;
    }

    /** How long a session lives after its history last changed; for ever unless set. */
    public Builder timeToLive(Duration value) {
      timeToLive = Optional.of(Expiry.check("a session", value));
      return this;
    }

    /** Opens the store. */
    public MemoryStore build() {
      return new MemoryStore(this);
    }
  }

  @Override
  public SessionSettings settings() {
    return settings;
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return guard.read(
        () ->
            sessions
                .find(key, now())
                .map(state -> Reading.page(state.history(), state.archive(), range))
                .orElse(EntryPage.EMPTY));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
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
  public Receipt commit(SessionKey key, Commit transaction) {
    if (!transaction.isHistoryOnly()) {
      return CommitInTurn.run(this, key, transaction);
    }
    transaction.check(limits);
    if (!transaction.isSealed()) {
      transaction.items().forEach(Item::id); // looks into the text now, not under the lock
    }
    String digest = transaction.operationId().isPresent() ? transaction.digest() : "";
    return guard.write(
        () -> {
          Instant now = now();
          return Transactions.apply(
              key, transaction, digest, sessions.place(key, leases, now), now);
        });
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return guard.write(() -> sessions.removeLast(key, now()));
  }

  @Override
  public boolean delete(SessionKey key) {
    return guard.write(
        () -> {
          Optional<SessionState> state = sessions.findToChange(key, now());
          state.ifPresent(sessions::remove);
          return state.isPresent();
        });
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return guard.write(() -> sessions.fork(source, upTo, target, null, now()));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    return guard.write(() -> sessions.fork(source, upTo, target, copying, now()));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return guard.read(() -> sessions.info(key, now()));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    SessionInfo info =
        guard.write(
            () -> {
              Instant now = now();
              return Transactions.update(
                  key, update, sessions.place(key, leases, now), defaultTimeToLive, now);
            });
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
    DocumentRules.checkLimit(limit);
    return guard.read(
        () -> {
          TreeSet<String> names = new TreeSet<>(TextOrder.BY_CODE_POINT);
          addFirst(names, sessions.owners(after, now()), limit);
          addFirst(names, records.owners(after, now()), limit);
          return names.stream().limit(limit).toList();
        });
  }

  private static void addFirst(Set<String> names, Iterator<String> from, int limit) {
    for (int i = 0; i < limit && from.hasNext(); i++) {
      names.add(from.next());
    }
  }

  @Override
  public SearchResult search(SearchQuery query) {
    guard.requireOpen();
    SessionSearch search = new SessionSearch(query, new SearchBudget(query, SearchBudget.TIME));
    if (!search.isEmpty()) {
      List<SessionKey> keys =
          query
              .sessionId()
              .map(id -> List.of(new SessionKey(query.owner(), id)))
              .orElseGet(() -> keys(query.owner()));
      for (SessionKey key : keys) {
        if (search.hasEnded()) {
          break;
        }
        info(key).ifPresent(info -> search.look(key, info.title(), everything(key)));
      }
    }
    return search.result(false);
  }

  private List<SessionKey> keys(String owner) {
    return guard.read(() -> sessions.keys(owner, now()));
  }

  /** Live entries and those that compactions replaced: words are remembered longer than that. */
  private List<Entry> everything(SessionKey key) {
    return read(key, Range.first(Integer.MAX_VALUE).withCompacted()).entries();
  }

  private List<Entry> entries(SessionKey key) {
    return read(key, Range.first(Integer.MAX_VALUE)).entries();
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    guard.requireOpen();
    return watchers.watch(key, version, listener);
  }

  private Watchers.News news(SessionKey key, long version) {
    return guard.read(() -> sessions.news(key, version));
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Documents documents() {
    return records;
  }

  @Override
  public void erase(String owner) {
    SessionKey.checkOwner(owner);
    boolean more = true;
    while (more) {
      more = guard.write(() -> sessions.erase(owner, ERASE_STEP));
    }
    guard.write(
        () -> {
          records.erase(owner);
          leases.erase(owner);
          return owner;
        });
  }

  @Override
  public int sweep(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
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
    return session.isPresent() || records.sweepOne(now);
  }

  @Override
  public void check(Consumer<Finding> findings) {
    Optional<String> after = Optional.empty();
    List<String> owners = owners(after, SessionQuery.MAX_LIMIT);
    while (!owners.isEmpty()) {
      owners.forEach(owner -> keys(owner).forEach(key -> check(key, findings)));
      owners = owners(Optional.of(owners.get(owners.size() - 1)), SessionQuery.MAX_LIMIT);
    }
  }

  private void check(SessionKey key, Consumer<Finding> findings) {
    Pairing pairing = new Pairing();
    entries(key).forEach(entry -> pairing.add(entry.position(), entry.item()));
    for (Pairing.Unpaired item : pairing.unpaired()) {
      findings.accept(
          new Finding(
              Finding.Kind.UNPAIRED,
              Optional.of(key),
              OptionalLong.of(item.position()),
              item.describe()));
    }
  }

  @Override
  public void ping() {
    guard.requireOpen();
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.SEARCH, Capability.SEALED_ITEMS);
  }

  @Override
  public Durability durability() {
    return Durability.VOLATILE;
  }

  @Override
  public void close() {
    guard.close();
    watchers.close();
    sweeper.close();
  }

  private Instant now() {
    return clock.instant();
  }
}
