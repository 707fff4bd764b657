package dev.clew.sqlite;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import dev.clew.kit.DamageReports;
import dev.clew.kit.ScanningSearch;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Changes;
import dev.clew.spi.Compression;
import dev.clew.spi.Fork;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import dev.clew.spi.SelfCheck;
import dev.clew.spi.Snapshots;
import dev.clew.spi.TextIndex;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The sessions of a {@link SqliteStore}. Thread-safe.
 *
 * <p>Reads go through {@link TailCache} or {@link HistoryReader} on a connection of their own.
 * Writes go through the {@link Committer}, which runs {@link HistoryWriter} or {@link SessionRows}
 * in a transaction and then notifies {@link ChangeFeed} and {@link Upkeep}.
 */
final class SqliteBackend
    implements Backend,
        RecentItems,
        ItemLookup,
        LastRemoval,
        AsyncCommits,
        TextIndex,
        NativeLeases,
        ChangePush,
        Snapshots,
        SelfCheck {
  private final SqliteOptions options;
  private final SqliteErrors errors;
  private final Connections connections;
  private final Committer committer;
  private final HistoryReader reader;
  private final TailCache cache;
  private final Heads heads = new Heads();
  private final SearchIndex index;
  private final ChangeFeed feed;
  private final Upkeep upkeep;
  private final Leases leases;
  private final SqliteDocuments documents;

  SqliteBackend(SqliteOptions options, UnaryOperator<Connection> driver) {
    this.options = options;
    Clock clock = options.clock();
    errors = new SqliteErrors(options.where());
    connections = new Connections(options, errors, driver);
    connections.prepare();
    Path log = options.inMemory() ? null : Path.of(options.path() + "-wal");
    committer = new Committer(connections, options.synchronous(), errors, clock::millis, log);
    reader = new HistoryReader(new DamageReports(options.where()));
    cache = new TailCache(connections, reader, errors, options.cacheBytes(), committer::commits);
    index = new SearchIndex(connections, committer, clock);
    feed = new ChangeFeed(connections, cache);
    upkeep = new Upkeep(committer, index);
    leases = new SqliteLeases(connections, committer, clock);
    documents = new SqliteDocuments(connections, committer, clock);
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return cache.items(KeyText.of(key), limit, now());
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    return cache.newest(KeyText.of(key), limit, now());
  }

  @Override
  public int atHand() {
    return options.cacheBytes() > 0 ? TailCache.MAX_ITEMS : 0;
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return connections.read(db -> reader.read(db, KeyText.of(key), range, now()));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return connections.read(db -> reader.find(db, KeyText.of(key), itemId, now()));
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    // On the thread that wrote: the one that commits for all has enough to do.
    return remember(key, commit, commit(key, write(key, commit)));
  }

  @Override
  public CompletableFuture<Receipt> commitAsync(SessionKey key, Commit commit) {
    return committer.commitLater(
        write(key, commit),
        written -> {
          committed(key);
          return remember(key, commit, written);
        });
  }

  private Committer.Write<HistoryWriter.Written> write(SessionKey key, Commit commit) {
    Prepared prepared = Prepared.of(commit);
    boolean expire = options.timeToLive().isPresent();
    return tx -> {
      HistoryWriter.Written written = new HistoryWriter(tx, key, prepared, heads, expire).apply();
      if (prepared.timeToLive() != null) {
        setTimeToLive(tx, key, written, prepared.timeToLive());
      }
      if (commit.document().isPresent()) {
        documents.put(tx.db, key.owner(), commit.document().get(), written.receipt(), tx.now);
      }
      return written;
    };
  }

  private void setTimeToLive(Tx tx, SessionKey key, HistoryWriter.Written written, long millis)
      throws SQLException {
    boolean set = written.appended().filter(HistoryWriter.Appended::madeTheSession).isPresent();
    if (!set && !written.receipt().repeated()) { // or it was set then
      SessionRows.setTimeToLive(tx, KeyText.of(key), millis);
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
    return commit(key, tx -> HistoryWriter.removeLast(tx, key));
  }

  @Override
  public boolean delete(SessionKey key) {
    return commit(
        key,
        tx -> {
          boolean live = SessionRow.live(tx.db, KeyText.of(key), tx.now).isPresent();
          SessionRows.delete(tx, KeyText.of(key));
          return live;
        });
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return commit(fork.target(), tx -> SessionRows.fork(tx, fork));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return connections.read(
        db -> SessionRow.live(db, KeyText.of(key), now()).map(row -> row.info(key)));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return commit(key, tx -> SessionRows.update(tx, key, update));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return connections.read(db -> SessionList.page(db, query, now()));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return connections.read(db -> Owners.page(db, after, limit, now()));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    return options.readOnly() ? searchAsItIs(query) : index.search(query);
  }

  /** Searches a file whose index may be missing, broken or outdated and must not change. */
  private SearchResult searchAsItIs(SearchQuery query) {
    if (index.isStarted()) {
      try {
        SearchResult found = index.search(query);
        if (!found.partial()) {
          return found;
        }
      } catch (ClewException.StoreUnavailable e) {
        // The index is broken and cannot be rebuilt in a read-only store.
      }
    }
    return ScanningSearch.run(this, query);
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return feed.changes(key, version);
  }

  @Override
  public void attach(Listener listener) {
    feed.attach(listener);
  }

  @Override
  public Optional<Backend> snapshot() {
    return SqliteSnapshot.take(connections, reader, documents, errors, now());
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
  public <F> Optional<F> feature(Class<F> feature) {
    if (feature != Compression.class) {
      return Backend.super.feature(feature);
    }
    return options.inMemory()
        ? Optional.empty()
        : Optional.of(
            feature.cast(
                new PackedRows(
                    connections, committer, index, options.clock(), Path.of(options.path()))));
  }

  @Override
  public void erase(String owner) {
    new Erasure(connections, committer, index, errors).erase(owner);
    cache.clear();
    feed.wake();
  }

  @Override
  public int sweep(int limit) {
    int swept = upkeep.sweep(limit);
    feed.wake();
    return swept;
  }

  @Override
  public void check(Consumer<Finding> findings) {
    new Checkup(connections, errors).run(findings);
  }

  @Override
  public void ping() {
    connections.requireFile(true);
    connections.read(db -> db.number(0, "SELECT count(*) FROM {our}meta"));
  }

  @Override
  public StoreTraits traits() {
    return options.inMemory()
        ? new StoreTraits(
            Durability.VOLATILE,
            EnumSet.complementOf(
                EnumSet.of(Capability.WATCH_ACROSS_PROCESSES, Capability.COMPRESSION)))
        : new StoreTraits(
            options.synchronous() == Synchronous.FULL
                ? Durability.POWER_LOSS
                : Durability.PROCESS_CRASH,
            Set.of(Capability.values()));
  }

  private <T> T commit(SessionKey key, Committer.Write<T> write) {
    T result = committer.commit(write);
    committed(key);
    return result;
  }

  private void committed(SessionKey key) {
    feed.changed(key);
    upkeep.written();
  }

  private long now() {
    return options.clock().millis();
  }

  @Override
  public void close() {
    upkeep.close();
    feed.close();
    committer.close();
    cache.close();
    connections.close();
  }
}
