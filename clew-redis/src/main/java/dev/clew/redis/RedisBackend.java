package dev.clew.redis;

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
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import dev.clew.kit.DamageReports;
import dev.clew.kit.IdleScheduler;
import dev.clew.kit.PairingCheck;
import dev.clew.kit.ServerClock;
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
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The keys of a {@link RedisStore}, see {@link Keys}. Thread-safe.
 *
 * <p>For each change {@link SessionScripts} runs one script, which checks the conditions and
 * changes the session and its places in the owner's lists, all in one slot; {@link Server} sends it
 * within the deadline. Then {@link ChangeFeed} and the background work are notified.
 */
final class RedisBackend
    implements Backend,
        RecentItems,
        ItemLookup,
        LastRemoval,
        NativeLeases,
        ChangePush,
        SelfCheck,
        Inspection {
  private static final int SWEPT_AT_ONCE = 100;

  private final Server server;
  private final Clock clock;
  private final StoreTraits traits;
  private final HistoryReader reader;
  private final HistoryWriter history;
  private final Sessions sessions;
  private final SessionList list;
  private final Owners owners;
  private final ChangeFeed feed;
  private final ChangeReader changes;
  private final Expiring expiring;
  private final IdleScheduler upkeep;
  private final Leases leases;
  private final Documents documents;
  private final Checkup checkup;
  private final Leftovers leftovers;
  private volatile boolean closing;

  RedisBackend(RedisOptions options, Server server, Clock clock, Durability durability) {
    this.server = server;
    this.clock = clock;
    traits =
        new StoreTraits(
            durability,
            Set.of(Capability.SEARCH, Capability.WATCH_ACROSS_PROCESSES, Capability.SEALED_ITEMS));
    Keys keys = new Keys(options.prefix());
    Registry registry = new Registry(server, keys);
    Long life = options.defaultLife();
    SessionScripts scripts = new SessionScripts(server, registry, life, options.where());
    reader = new HistoryReader(server, keys, scripts, new DamageReports(options.where()), life);
    history = new HistoryWriter(keys, scripts, reader);
    sessions = new Sessions(server, keys, scripts, reader, life);
    list = new SessionList(server, keys, scripts, life, options.readOnly());
    feed = new ChangeFeed(server, keys, options.readOnly());
    changes = new ChangeReader(server, keys, feed);
    expiring = new Expiring(server, keys, scripts);
    upkeep = new IdleScheduler("clew-redis-upkeep", () -> {}, this::maintain);
    leases = new RedisLeases(server, keys, clock);
    documents = new RedisDocuments(server, keys, registry, clock);
    owners = new Owners(server, keys, list, documents);
    leftovers = new Leftovers(server, keys);
    checkup = new Checkup(server, keys);
  }

  /** Updates keys of the previous layout. */
  void markAll() {
    sessions.markAll(owners, list, now());
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
    return written(key, history.apply(key, commit, now()));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return written(key, history.removeLast(key, now()));
  }

  @Override
  public boolean delete(SessionKey key) {
    return written(key, history.delete(key, now()));
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return written(fork.target(), sessions.fork(fork, now()));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return sessions.info(key, now());
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return written(key, sessions.update(key, update, now()));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return list.page(query, now());
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return owners.page(after, limit, now());
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return changes.since(key, version);
  }

  @Override
  public void attach(Listener listener) {
    feed.attach(listener);
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
    owners.erase(owner, key -> history.erase(key, now()));
    feed.changedAny();
  }

  @Override
  public Inspection.Report inspect(String owner, Optional<String> id) {
    return leftovers.find(owner, id);
  }

  @Override
  public int sweep(int limit) {
    int swept = expiring.sweep(limit, now());
    feed.changedAny();
    return swept;
  }

  /** Removes what has expired, and compares the clocks. */
  private void maintain() {
    while (!closing && expiring.sweep(SWEPT_AT_ONCE, now()) == SWEPT_AT_ONCE) {
      // There may be more.
    }
    if (!closing && clock instanceof ServerClock server) {
      server.measure();
    }
  }

  @Override
  public void check(Consumer<Finding> findings) {
    PairingCheck.run(this, findings, key -> checkup.run(key, findings));
  }

  @Override
  public void ping() {
    server.get(new byte[0], redis -> redis.ping());
  }

  @Override
  public StoreTraits traits() {
    return traits;
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
    closing = true;
    upkeep.close();
    feed.close();
    server.close();
  }
}
