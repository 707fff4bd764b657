package dev.clew.sqlite;

import dev.clew.spi.AsyncCommits;
import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.spi.Compression;
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
import dev.clew.spi.PositionedItems;
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
import dev.clew.kit.DamageReports;
import dev.clew.kit.DocumentRules;
import dev.clew.kit.TimeToLive;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Sessions in a SQLite file, shared with other processes and with Python programs that use the
 * OpenAI Agents SDK. Thread-safe.
 *
 * <pre>{@code
 * try (SessionStore store = SqliteStore.open("conversations.db")) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 *
 * <p>What follows one call: reads go through {@link TailCache} or {@link HistoryReader} on a
 * connection of their own; writes go through the {@link Committer}, which runs {@link
 * HistoryWriter} or {@link SessionRows} in a transaction, then wakes {@link ChangeFeed} and {@link
 * Upkeep}.
 */
public final class SqliteStore implements SessionStore {
  private final SqliteOptions options;
  private final SqliteErrors errors;
  private final Connections connections;
  private final Committer committer;
  private final DamageReports damage;
  private final HistoryReader reader;
  private final TailCache cache;
  private final SessionRows sessions;
  private final Heads heads = new Heads();
  private final HistoryWriter history;
  private final SearchIndex index;
  private final ChangeFeed feed;
  private final Upkeep upkeep;
  private final Leases leases;
  private final Documents records;
  private volatile boolean closed;

  SqliteStore(SqliteOptions options, UnaryOperator<Connection> driver) {
    this.options = options;
    Clock clock = options.clock();
    errors = new SqliteErrors(options.where());
    connections = new Connections(options, errors, driver);
    connections.prepare();
    Path log = options.inMemory() ? null : Path.of(options.path() + "-wal");
    committer = new Committer(connections, options.synchronous(), errors, clock::millis, log);
    damage = new DamageReports(options.where());
    reader = new HistoryReader(damage);
    cache = new TailCache(connections, reader, errors, options.cacheBytes(), committer::commits);
    sessions = new SessionRows();
    history = new HistoryWriter(sessions, heads, options.timeToLive().isPresent());
    index = new SearchIndex(connections, committer, clock);
    feed = new ChangeFeed(connections, cache);
    upkeep = new Upkeep(committer, index, sessions);
    leases = new SqliteLeases(connections, committer, clock);
    records = new SqliteRecords(connections, committer, clock);
  }

  /** Opens a file, or {@code :memory:}, with the defaults. */
  public static SqliteStore open(String path) {
    return builder(path).open();
  }

  /** Opens a file with the defaults. */
  public static SqliteStore open(Path path) {
    return builder(path.toString()).open();
  }

  /** Settings for a file, or for {@code :memory:}. */
  public static Builder builder(String path) {
    return new Builder(path);
  }

  /** The file as it was given, or {@code :memory:}. */
  public String path() {
    return options.path();
  }

  /** The table of sessions. */
  public String sessionsTable() {
    return options.names().sessions();
  }

  /** The table of messages. */
  public String messagesTable() {
    return options.names().messages();
  }

  @Override
  public SessionSettings settings() {
    return options.settings();
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    requireOpen();
    return cache.items(KeyText.of(key), limit, now());
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    requireOpen();
    return cache.newest(KeyText.of(key), limit, now());
  }

  @Override
  public void refuseDamage() {
    damage.refuse();
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    requireOpen();
    return connections.read(db -> reader.read(db, KeyText.of(key), range, now()));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    requireOpen();
    return connections.read(db -> reader.find(db, KeyText.of(key), itemId, now()));
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    // By the thread whose write it was: the one that commits for all has enough to do.
    return remember(key, commit, commit(write(key, commit)));
  }

  @Override
  public <F> Optional<F> feature(Class<F> feature) {
    return feature == AsyncCommits.class
        ? Optional.of(feature.cast((AsyncCommits) this::commitAsync))
        : Optional.empty();
  }

  private CompletableFuture<Receipt> commitAsync(SessionKey key, Commit commit) {
    try {
      return committer.commitLater(
          write(key, commit),
          written -> {
            committed();
            return remember(key, commit, written);
          });
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Committer.Write<HistoryWriter.Written> write(SessionKey key, Commit commit) {
    requireOpen();
    commit.check(options.limits());
    commit.document().ifPresent(put -> SqliteRecords.check(key.owner(), put));
    Prepared prepared = Prepared.of(commit);
    return tx -> {
      HistoryWriter.Written written = history.apply(tx, key, prepared);
      if (prepared.timeToLive() != null) {
        setTimeToLive(tx, key, written, prepared.timeToLive());
      }
      if (commit.document().isPresent()) {
        SqliteRecords.put(tx, key.owner(), commit.document().get(), written.receipt());
      }
      return written;
    };
  }

  private void setTimeToLive(Tx tx, SessionKey key, HistoryWriter.Written written, long millis)
      throws SQLException {
    boolean set = written.appended().filter(HistoryWriter.Appended::madeTheSession).isPresent();
    if (!set && !written.receipt().repeated()) { // or it was set then
      sessions.setLife(tx, KeyText.of(key), millis);
    }
  }

  private Receipt remember(SessionKey key, Commit commit, HistoryWriter.Written written) {
    if (commit.timeToLive().isPresent()) {
      heads.forget(KeyText.of(key));
    }
    written.appended().ifPresent(append -> remember(KeyText.of(key), append));
    return written.receipt();
  }

  private void remember(String id, HistoryWriter.Appended append) {
    heads.committed(id, append.after());
    cache.appended(id, append);
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    requireOpen();
    return commit(tx -> history.removeLast(tx, key));
  }

  @Override
  public boolean delete(SessionKey key) {
    requireOpen();
    return commit(
        tx -> {
          boolean live = SessionRow.live(tx.db, KeyText.of(key), tx.now).isPresent();
          sessions.delete(tx, KeyText.of(key));
          return live;
        });
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    requireOpen();
    return commit(tx -> sessions.fork(tx, source, upTo, target));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    requireOpen();
    return commit(tx -> sessions.fork(tx, source, upTo, target, copying));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    requireOpen();
    return connections.read(
        db -> SessionRow.live(db, KeyText.of(key), now()).map(row -> row.info(key)));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    requireOpen();
    return commit(tx -> sessions.update(tx, key, update));
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
    return options.readOnly()
        ? new UnindexedSearch(connections, index, options.clock()).search(query)
        : index.search(query);
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    requireOpen();
    return feed.subscribe(KeyText.of(key), version, Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public Optional<SessionStore> snapshot() {
    requireOpen();
    return SqliteSnapshot.take(connections, reader, errors, now());
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
  public Compression compression() {
    requireOpen();
    if (options.inMemory()) {
      throw new ClewException.NotSupported(
          "a database in memory cannot compress sessions; name a file");
    }
    return new PackedRows(connections, committer, index, options.clock(), Path.of(options.path()));
  }

  @Override
  public void erase(String owner) {
    requireOpen();
    SessionKey.checkOwner(owner);
    new Erasure(connections, committer, sessions, index, errors).erase(owner);
    cache.clear();
    feed.wake();
  }

  @Override
  public int sweep(int limit) {
    requireOpen();
    int swept = upkeep.sweep(limit);
    feed.wake();
    return swept;
  }

  @Override
  public void check(Consumer<Finding> findings) {
    requireOpen();
    new Checkup(connections, errors).run(findings);
  }

  @Override
  public void ping() {
    requireOpen();
    connections.requireFile(true);
    connections.read(db -> db.number(0, "SELECT count(*) FROM {our}meta"));
  }

  @Override
  public Set<Capability> capabilities() {
    return options.inMemory()
        ? EnumSet.complementOf(
            EnumSet.of(Capability.WATCH_ACROSS_PROCESSES, Capability.COMPRESSION))
        : Set.of(Capability.values());
  }

  @Override
  public Durability durability() {
    if (options.inMemory()) {
      return Durability.VOLATILE;
    }
    return options.synchronous() == Synchronous.FULL
        ? Durability.POWER_LOSS
        : Durability.PROCESS_CRASH;
  }

  private <T> T commit(Committer.Write<T> write) {
    T result = committer.commit(write);
    committed();
    return result;
  }

  private void committed() {
    feed.wake();
    upkeep.written();
  }

  private long now() {
    return options.clock().millis();
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
    committer.close();
    cache.close();
    connections.close();
  }

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder {
    private final String path;
    private String sessionsTable = Names.DEFAULT.sessions();
    private String messagesTable = Names.DEFAULT.messages();
    private SessionSettings settings = SessionSettings.DEFAULT;
    private ItemLimits limits = ItemLimits.STORE;
    private Synchronous synchronous = Synchronous.FULL;
    private Duration busyTimeout = Duration.ofSeconds(10);
    private Optional<Duration> timeToLive = Optional.empty();
    private long cacheBytes = 32 << 20;
    private Clock clock = Clock.systemUTC();
    private Opening opening = Opening.CREATE;

    private Builder(String path) {
      if (path.isEmpty()) {
        throw new IllegalArgumentException(
            "the SQLite store needs a path, for example sqlite:conversations.db or sqlite::memory:");
      }
      this.path = path;
    }

    /** The table of sessions; {@code agent_sessions}. */
    public Builder sessionsTable(String name) {
      sessionsTable = name;
      return this;
    }

    /** The table of messages; {@code agent_messages}. */
    public Builder messagesTable(String name) {
      messagesTable = name;
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

    /** When a commit counts as durable; {@link Synchronous#FULL}. */
    public Builder synchronous(Synchronous value) {
      synchronous = value;
      return this;
    }

    /** How long to wait for another program's lock; 10 s. */
    public Builder busyTimeout(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("the busy timeout is negative: " + value);
      }
      busyTimeout = value;
      return this;
    }

    /** How long a session lives after its last update; for ever. */
    public Builder timeToLive(Duration value) {
      TimeToLive.check("a session", value);
      timeToLive = Optional.of(value);
      return this;
    }

    /** How much memory the newest items of sessions in use may take; 32 MiB. 0 caches nothing. */
    public Builder cacheBytes(long value) {
      cacheBytes = value;
      return this;
    }

    /** What tells the time; the system's clock. */
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
     * Opens the store, creating the file and its folder if needed.
     *
     * @throws ClewException.StoreUnavailable naming the path and the remedy, if it cannot be
     */
    public SqliteStore open() {
      Names plain = Names.of(sessionsTable, messagesTable);
      Names names = timeToLive.map(TimeToLive::millis).map(plain::timeToLive).orElse(plain);
      return new SqliteStore(
          new SqliteOptions(
              path,
              names,
              settings,
              limits,
              synchronous,
              busyTimeout,
              timeToLive,
              cacheBytes,
              clock,
              opening),
          UnaryOperator.identity());
    }
  }
}
