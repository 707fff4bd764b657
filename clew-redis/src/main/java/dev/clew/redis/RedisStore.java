package dev.clew.redis;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Leases;
import dev.clew.Opening;
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
import dev.clew.kit.CommitInTurn;
import dev.clew.kit.DamageReports;
import dev.clew.kit.DocumentRules;
import dev.clew.kit.TimeToLive;
import dev.clew.spi.ForkTransform;
import dev.clew.spi.Inspection;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sessions in Redis: one server, a primary behind Sentinel, or a Cluster, shared by any number of
 * hosts. Thread-safe.
 *
 * <pre>{@code
 * try (SessionStore store = RedisStore.open("redis://localhost")) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 *
 * <p>What follows one call: {@link SessionScripts} runs one script, which checks the conditions and
 * changes the session with its places in the owner's lists, all in one slot; {@link Server} sends
 * it within the deadline. Then {@link ChangeFeed} and {@link Upkeep} are told. {@link Keys} has the
 * layout.
 */
public final class RedisStore implements SessionStore, Inspection {
  private final RedisOptions options;
  private final RedisErrors errors;
  private final Server server;
  private final Clock clock;
  private final DamageReports damage;
  private final HistoryReader reader;
  private final HistoryWriter history;
  private final Sessions sessions;
  private final SessionList list;
  private final Owners owners;
  private final Search search;
  private final ChangeFeed feed;
  private final Expiring expiring;
  private final Upkeep upkeep;
  private final Leases leases;
  private final Documents records;
  private final Checkup checkup;
  private final Leftovers leftovers;
  private final Durability durability;
  private volatile boolean closed;

  private RedisStore(
      RedisOptions options, RedisErrors errors, Server server, Clock clock, Durability durability) {
    this.options = options;
    this.errors = errors;
    this.server = server;
    this.clock = clock;
    this.durability = durability;
    Keys keys = new Keys(options.prefix());
    Registry registry = new Registry(server, keys);
    Long life = options.defaultLife();
    SessionScripts scripts =
        new SessionScripts(server, registry, new Seen(), life, options.where());
    damage = new DamageReports(options.where());
    reader = new HistoryReader(server, keys, scripts, damage, life);
    history = new HistoryWriter(keys, scripts, reader);
    sessions = new Sessions(server, keys, scripts, reader, life);
    list = new SessionList(server, keys, scripts, life, options.readOnly());
    search = new Search(list, sessions, reader, options.deadline());
    feed = new ChangeFeed(server, keys);
    expiring = new Expiring(server, keys, scripts);
    upkeep = new Upkeep(server, expiring, clock);
    leases = new RedisLeases(server, keys, clock);
    records = new RedisRecords(server, keys, registry, clock);
    owners = new Owners(server, keys, list, records);
    leftovers = new Leftovers(server, keys);
    checkup = new Checkup(server, keys, owners, list);
  }

  /**
   * Opens the store a URL names: {@code redis://user:password@host:port/database?name=value&…}.
   *
   * @throws IllegalArgumentException naming what is wrong with the URL
   * @throws ClewException.StoreUnavailable saying why it cannot be opened, and the remedy
   */
  public static RedisStore open(String url) {
    return builder(url).open();
  }

  /** Settings for a store with a client of its own; those in the URL are taken over. */
  public static Builder builder(String url) {
    return new Builder(RedisUrl.parse(url));
  }

  /**
   * Settings for a store on a client of the application's, which is never closed. The store makes
   * connections of its own with it. If the client sends commands again after a lost connection, as
   * it does by default, every append gets an operation id, so that it takes effect once.
   */
  public static Builder builder(RedisClient client) {
    Objects.requireNonNull(client, "client");
    return new Builder(connecting -> connecting.borrow(client));
  }

  /** Settings for a store on a cluster client of the application's, which is never closed. */
  public static Builder builder(RedisClusterClient client) {
    Objects.requireNonNull(client, "client");
    return new Builder(connecting -> connecting.borrow(client));
  }

  @Override
  public SessionSettings settings() {
    return options.settings();
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    requireOpen();
    return reader.items(key, limit, now());
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    requireOpen();
    return reader.read(key, range, now());
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    requireOpen();
    return reader.find(key, itemId, now());
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    if (!transaction.isHistoryOnly()) {
      return CommitInTurn.run(this, key, transaction);
    }
    requireOpen();
    transaction.check(options.limits());
    Receipt receipt = history.apply(key, transaction, now());
    written(key);
    return receipt;
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    requireOpen();
    Optional<Entry> removed = history.removeLast(key, now());
    written(key);
    return removed;
  }

  @Override
  public boolean delete(SessionKey key) {
    requireOpen();
    boolean deleted = history.delete(key, now());
    written(key);
    return deleted;
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    requireOpen();
    SessionInfo fork = sessions.fork(source, upTo, target, null, now());
    written(target);
    return fork;
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    requireOpen();
    SessionInfo fork = sessions.fork(source, upTo, target, copying, now());
    written(target);
    return fork;
  }

  @Override
  public void refuseDamage() {
    damage.refuse();
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    requireOpen();
    return sessions.info(key, now());
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    requireOpen();
    SessionInfo info = sessions.update(key, update, now());
    written(key);
    return info;
  }

  @Override
  public SessionPage list(SessionQuery query) {
    requireOpen();
    return list.page(query, now());
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    requireOpen();
    DocumentRules.checkLimit(limit);
    return owners.page(after, limit, now());
  }

  @Override
  public SearchResult search(SearchQuery query) {
    requireOpen();
    return search.search(query, now());
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    requireOpen();
    if (options.readOnly()) {
      throw new ClewException.NotSupported(
          options.where() + ": watching writes to the server; open the store to write");
    }
    return feed.watch(key, version, listener);
  }

  @Override
  public Leases leases() {
    requireOpen();
    return leases;
  }

  @Override
  public Documents documents() {
    requireOpen();
    return records;
  }

  @Override
  public void erase(String owner) {
    requireOpen();
    SessionKey.checkOwner(owner);
    owners.erase(owner, key -> history.erase(key, now()));
    feed.changedAny();
  }

  @Override
  public Inspection.Report inspect(String owner, Optional<String> id) {
    requireOpen();
    return leftovers.find(owner, id);
  }

  @Override
  public int sweep(int limit) {
    requireOpen();
    int swept = expiring.sweep(limit, now());
    feed.changedAny();
    return swept;
  }

  @Override
  public void check(Consumer<Finding> findings) {
    requireOpen();
    checkup.run(findings, now());
  }

  @Override
  public void ping() {
    requireOpen();
    server.get(new byte[0], redis -> redis.ping());
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.SEARCH, Capability.WATCH_ACROSS_PROCESSES, Capability.SEALED_ITEMS);
  }

  @Override
  public Durability durability() {
    return durability;
  }

  private void written(SessionKey key) {
    feed.changed(key);
    upkeep.written();
  }

  private long now() {
    return clock.millis();
  }

  private void requireOpen() {
    if (closed) {
      throw errors.closed();
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    upkeep.close();
    feed.close();
    server.close();
  }

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder {
    private final Function<Connecting, Server> connect;
    private final String where;
    private String prefix = "clew";
    private SessionSettings settings = SessionSettings.DEFAULT;
    private ItemLimits limits = ItemLimits.STORE;
    private Optional<Duration> timeToLive = Optional.empty();
    private Duration deadline = Duration.ofSeconds(10);
    private Optional<Durability> durability = Optional.empty();
    private @Nullable Clock clock;
    private Opening opening = Opening.CREATE;

    private Builder(Function<Connecting, Server> connect) {
      this.connect = connect;
      this.where = "Redis store of the application's client";
    }

    private Builder(RedisUrl url) {
      this.connect = connecting -> connecting.open(url);
      this.where = url.where();
      url.applyTo(this);
    }

    /** What the names of all keys begin with; {@code clew}. Stores of other prefixes are apart. */
    public Builder prefix(String value) {
      Keys.checkPrefix(value);
      prefix = value;
      return this;
    }

    /** How sessions are read unless said otherwise; everything. */
    public Builder settings(SessionSettings value) {
      settings = value;
      return this;
    }

    /** How large an item may be; 16 MiB, 200 levels. */
    public Builder limits(ItemLimits value) {
      limits = value;
      return this;
    }

    /** How long a session lives after its last update; for ever. */
    public Builder timeToLive(Duration value) {
      TimeToLive.check("a session", value);
      timeToLive = Optional.of(value);
      return this;
    }

    /** How long a call may take before it fails; 10 s. */
    public Builder deadline(Duration value) {
      if (value.toMillis() < 100) {
        throw new IllegalArgumentException("the deadline is at least 100 ms, not " + value);
      }
      deadline = value;
      return this;
    }

    /**
     * What the server keeps, where it does not tell (managed servers often refuse {@code CONFIG});
     * what it tells counts more.
     */
    public Builder durability(Durability value) {
      durability = Optional.of(value);
      return this;
    }

    /** What tells the time; the server's clock. */
    public Builder clock(Clock value) {
      clock = value;
      return this;
    }

    /** How far opening may go; {@link Opening#CREATE}. */
    Builder opening(Opening value) {
      opening = value;
      return this;
    }

    /**
     * Opens the store.
     *
     * @throws ClewException.StoreUnavailable saying what is wrong and the remedy
     */
    public RedisStore open() {
      RedisOptions options =
          new RedisOptions(
              where,
              prefix,
              settings,
              limits,
              timeToLive.map(TimeToLive::millis).orElse(null),
              deadline,
              opening.isReadOnly());
      RedisErrors errors = new RedisErrors(where, deadline);
      Server server = connect.apply(new Connecting(errors, deadline));
      try {
        Keys keys = new Keys(prefix);
        boolean older = Connecting.checkLayout(server, keys, errors, opening);
        Clock time = clock == null ? ServerClock.of(server) : clock;
        RedisStore store =
            new RedisStore(
                options, errors, server, time, Connecting.durability(server, durability, where));
        if (older) {
          store.sessions.markAll(store.owners, store.list, time.millis());
          Connecting.raiseLayout(server, keys);
        }
        return store;
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    }
  }
}
