package dev.clew.postgres;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.spi.ForkTransform;
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
import dev.clew.spi.Inspection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sessions in a PostgreSQL database, shared by any number of hosts. Thread-safe.
 *
 * <pre>{@code
 * try (SessionStore store = PostgresStore.open("postgres://user:password@localhost/app")) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 *
 * <p>What follows one call: {@link Connections} runs it on a pooled connection within the deadline;
 * appends go through the {@link Committer}, which commits those that wait together; other changes
 * are transactions of their own in {@link HistoryWriter} or {@link SessionRows}. Then {@link
 * ChangeFeed} and {@link Upkeep} are told.
 */
public final class PostgresStore implements SessionStore, Inspection {
  private final PostgresOptions options;
  private final PostgresErrors errors;
  private final Connections connections;
  private final Clock clock;
  private final Committer committer;
  private final DamageReports damage;
  private final HistoryReader reader;
  private final HistoryWriter history;
  private final SearchIndex index;
  private final ChangeFeed feed;
  private final Upkeep upkeep;
  private final Leases leases;
  private final Documents records;
  private volatile boolean closed;

  private PostgresStore(
      PostgresOptions options, PostgresErrors errors, Connections connections, Clock clock) {
    this.options = options;
    this.errors = errors;
    this.connections = connections;
    this.clock = clock;
    committer = new Committer(connections, errors, clock);
    damage = new DamageReports(options.where());
    reader = new HistoryReader(connections, damage);
    history = new HistoryWriter(reader);
    index =
        new SearchIndex(
            connections,
            clock,
            Math.max(1, options.poolSize() / 4),
            options.opening().isReadOnly());
    feed = new ChangeFeed(connections);
    upkeep = new Upkeep(connections, index, clock);
    leases = new PostgresLeases(connections, clock);
    records = new PostgresRecords(connections, clock);
  }

  /**
   * Opens the store a URL names: {@code postgres://user:password@host:port/database?name=value&…}.
   *
   * @throws IllegalArgumentException naming what is wrong with the URL
   * @throws ClewException.StoreUnavailable saying why it cannot be opened, and the remedy
   */
  public static PostgresStore open(String url) {
    return builder(url).open();
  }

  /** Settings for a store with connections of its own; those in the URL are taken over. */
  public static Builder builder(String url) {
    return new Builder(PostgresUrl.parse(url));
  }

  /**
   * Settings for a store on connections of the application's. They are given back after each call;
   * the source itself is never closed. While sessions are watched, one connection is kept.
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(Objects.requireNonNull(dataSource, "dataSource"));
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
    Receipt receipt =
        transaction.step() instanceof Commit.Append
            ? committer.append(key, transaction)
            : connections.write(db -> history.apply(db, key, transaction, now()));
    written(key);
    return receipt;
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    requireOpen();
    Optional<Entry> removed = connections.write(db -> history.removeLast(db, key, now()));
    written(key);
    return removed;
  }

  @Override
  public boolean delete(SessionKey key) {
    requireOpen();
    boolean deleted = connections.write(db -> HistoryWriter.delete(db, key, now()));
    written(key);
    return deleted;
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    requireOpen();
    SessionInfo fork = connections.write(db -> SessionRows.fork(db, source, upTo, target, now()));
    written(target);
    return fork;
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    requireOpen();
    SessionInfo fork =
        connections.write(db -> SessionRows.fork(db, source, upTo, target, copying, reader, now()));
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
    return connections.read(db -> SessionRow.live(db, key, now()).map(SessionRow::info));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    requireOpen();
    SessionInfo info = connections.write(db -> SessionRows.update(db, key, update, now()));
    written(key);
    return info;
  }

  @Override
  public SessionPage list(SessionQuery query) {
    requireOpen();
    return connections.read(db -> SessionList.page(db, query, now()));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    requireOpen();
    DocumentRules.checkLimit(limit);
    return connections.read(db -> Owners.page(db, after, limit, now()));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    requireOpen();
    return index.search(query);
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    requireOpen();
    return feed.watch(key, version, listener);
  }

  @Override
  public Optional<SessionStore> snapshot() {
    requireOpen();
    return Optional.of(PostgresSnapshot.take(connections, damage, now()));
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
    new Erasure(connections, clock).erase(owner);
    feed.changedAny();
  }

  @Override
  public Inspection.Report inspect(String owner, Optional<String> id) {
    requireOpen();
    return new Leftovers(connections).find(owner, id);
  }

  @Override
  public int sweep(int limit) {
    requireOpen();
    int swept = upkeep.sweep(limit);
    feed.changedAny();
    return swept;
  }

  @Override
  public void check(Consumer<Finding> findings) {
    requireOpen();
    new Checkup(connections).run(findings);
  }

  @Override
  public void ping() {
    requireOpen();
    connections.read(db -> db.first("SELECT 1", row -> 1));
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.SEARCH, Capability.WATCH_ACROSS_PROCESSES, Capability.SEALED_ITEMS);
  }

  @Override
  public Durability durability() {
    return Durability.AS_THE_SERVER;
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
    committer.close();
    feed.close();
    connections.close();
  }

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder {
    private final @Nullable PostgresUrl url;
    private final @Nullable DataSource dataSource;
    private String schema = Names.DEFAULT_SCHEMA;
    private boolean applySchema = true;
    private SessionSettings settings = SessionSettings.DEFAULT;
    private ItemLimits limits = ItemLimits.STORE;
    private Optional<Duration> timeToLive = Optional.empty();
    private Duration deadline = Duration.ofSeconds(10);
    private int poolSize = 10;
    private @Nullable Clock clock;
    private Opening opening = Opening.CREATE;

    private Builder(DataSource dataSource) {
      this.url = null;
      this.dataSource = dataSource;
    }

    private Builder(PostgresUrl url) {
      this.url = url;
      this.dataSource = null;
      url.applyTo(this);
    }

    /** The schema that holds the tables; {@code clew}. */
    public Builder schema(String name) {
      schema = name;
      return this;
    }

    /**
     * Whether to make the tables if they are missing; yes. If not, a store whose tables are not
     * those of {@link PostgresSchema#sql()} does not open.
     */
    public Builder applySchema(boolean value) {
      applySchema = value;
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

    /** The most connections of a pool of the store's own; 10. */
    public Builder poolSize(int value) {
      if (value < 1) {
        throw new IllegalArgumentException("a pool has at least one connection, not " + value);
      }
      poolSize = value;
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
     * Opens the store, making the tables if needed and wanted.
     *
     * @throws ClewException.StoreUnavailable saying what is wrong and the remedy
     */
    public PostgresStore open() {
      String where = url != null ? url.where() : "PostgreSQL store of the application's pool";
      PostgresOptions options =
          new PostgresOptions(
              where,
              Names.of(schema, timeToLive.map(TimeToLive::millis)),
              settings,
              limits,
              deadline,
              poolSize,
              opening);
      PostgresErrors errors = new PostgresErrors(where, deadline);
      Connections connections =
          dataSource != null
              ? Connections.borrowed(options, errors, dataSource)
              : Connections.pooled(
                  options,
                  errors,
                  Objects.requireNonNull(url).dataSource(deadline, opening.isReadOnly()));
      try {
        PostgresSchema.prepare(connections, errors, applySchema, opening);
        Clock time = clock == null ? ServerClock.of(connections) : clock;
        return new PostgresStore(options, errors, connections, time);
      } catch (RuntimeException e) {
        connections.close();
        throw e;
      }
    }
  }
}
