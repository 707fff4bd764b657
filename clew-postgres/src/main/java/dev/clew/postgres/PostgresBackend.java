package dev.clew.postgres;

import dev.clew.Capability;
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
import dev.clew.kit.PairingCheck;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Changes;
import dev.clew.spi.Fork;
import dev.clew.spi.Inspection;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.RecentItems;
import dev.clew.spi.SelfCheck;
import dev.clew.spi.Snapshots;
import dev.clew.spi.TextIndex;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The tables of a {@link PostgresStore}. Thread-safe.
 *
 * <p>{@link Connections} runs each call on a pooled connection within the deadline. Appends go
 * through the {@link Committer}, which commits several at once; other changes are transactions of
 * their own in {@link HistoryWriter} or {@link SessionRows}. Then {@link ChangeFeed} and {@link
 * Upkeep} are notified.
 */
final class PostgresBackend
    implements Backend,
        RecentItems,
        ItemLookup,
        LastRemoval,
        TextIndex,
        NativeLeases,
        ChangePush,
        Snapshots,
        SelfCheck,
        Inspection {
  private static final StoreTraits TRAITS =
      new StoreTraits(
          Durability.AS_THE_SERVER,
          Set.of(
              Capability.SEARCH,
              Capability.WATCH_ACROSS_PROCESSES,
              Capability.SEALED_ITEMS,
              Capability.ATOMIC_DOCUMENTS));

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
  private final PostgresDocuments documents;

  PostgresBackend(
      PostgresOptions options, PostgresErrors errors, Connections connections, Clock clock) {
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
    documents = new PostgresDocuments(connections, clock);
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return reader.items(key, limit, now());
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return reader.read(key, range, now());
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return reader.find(key, itemId, now());
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    return written(
        key,
        commit.isHistoryOnly() && commit.step() instanceof Commit.Append
            ? committer.append(key, commit)
            : connections.write(db -> commit(db, key, commit, now())));
  }

  /** The history, the time to live and the document, in one transaction. */
  private Receipt commit(Db db, SessionKey key, Commit commit, long now) throws SQLException {
    Receipt receipt = history.apply(db, key, commit, now);
    boolean there = receipt.version() > 0 && !receipt.repeated(); // or it was set then
    if (there && commit.timeToLive().isPresent()) {
      SessionUpdate update = SessionUpdate.none().timeToLive(commit.timeToLive().get());
      long version = SessionRows.update(db, key, update, now).version();
      receipt =
          new Receipt(
              version, receipt.firstPosition(), receipt.lastPosition(), false, receipt.existed());
    }
    if (commit.document().isPresent()) {
      documents.put(db, key.owner(), commit.document().get(), receipt, now);
    }
    return receipt;
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return written(key, connections.write(db -> history.removeLast(db, key, now())));
  }

  @Override
  public boolean delete(SessionKey key) {
    return written(key, connections.write(db -> HistoryWriter.delete(db, key, now())));
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return written(
        fork.target(), connections.write(db -> SessionRows.fork(db, fork, reader, now())));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return connections.read(db -> SessionRow.live(db, key, now()).map(SessionRow::info));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return written(key, connections.write(db -> SessionRows.update(db, key, update, now())));
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
    return index.search(query);
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return connections.snapshot(db -> ChangeReader.since(db, key, version));
  }

  @Override
  public void attach(Listener listener) {
    feed.attach(listener);
  }

  @Override
  public Optional<Backend> snapshot() {
    return Optional.of(PostgresSnapshot.take(connections, documents, damage, now()));
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
    new Erasure(connections, clock).erase(owner);
    feed.changedAny();
  }

  @Override
  public Inspection.Report inspect(String owner, Optional<String> id) {
    return new Leftovers(connections).find(owner, id);
  }

  @Override
  public int sweep(int limit) {
    int swept = upkeep.sweep(limit);
    feed.changedAny();
    return swept;
  }

  @Override
  public void check(Consumer<Finding> findings) {
    connections.read(PostgresBackend::quarantined).forEach(findings);
    PairingCheck.run(this, findings);
  }

  private static List<Finding> quarantined(Db db) throws SQLException {
    return db.all(
        "SELECT owner, id, position FROM {s}.quarantine ORDER BY owner, id, position",
        row ->
            new Finding(
                Finding.Kind.QUARANTINED,
                Optional.of(new SessionKey(row.getString(1), row.getString(2))),
                OptionalLong.of(row.getLong(3)),
                "a damaged item was put aside when it was popped; its text is in the table"
                    + " quarantine"));
  }

  @Override
  public void ping() {
    connections.read(db -> db.exists("SELECT 1"));
  }

  @Override
  public StoreTraits traits() {
    return TRAITS;
  }

  private <T> T written(SessionKey key, T result) {
    feed.changed(key);
    upkeep.written();
    return result;
  }

  private long now() {
    return clock.millis();
  }

  @Override
  public void close() {
    upkeep.close();
    committer.close();
    feed.close();
    connections.close();
  }
}
