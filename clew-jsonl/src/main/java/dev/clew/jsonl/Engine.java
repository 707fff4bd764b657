package dev.clew.jsonl;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.ClewException.NoSuchStore;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.spi.Compression;
import dev.clew.Documents;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.spi.ForkTransform;
import dev.clew.Item;
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
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import dev.clew.kit.Reasons;
import dev.clew.kit.TextOrder;
import dev.clew.kit.state.ChangeLog;
import dev.clew.kit.Conflicts;
import dev.clew.kit.state.DocumentTable;
import dev.clew.kit.state.Guard;
import dev.clew.kit.state.History;
import dev.clew.kit.state.Reading;
import dev.clew.kit.state.SessionState;
import dev.clew.kit.state.Sweeper;
import dev.clew.kit.state.Transactions;
import dev.clew.kit.Watchers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@link JsonlStore} does while it is open, over the files. Thread-safe.
 *
 * <p>The store sees to it that nothing is called after {@link #close}.
 */
final class Engine implements SessionFiles.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final History NOTHING = new History();

  private final DirectoryLock lock;
  private final Clock clock;
  private final Optional<Duration> timeToLive;
  private final Folders folders;
  private final Disk disk;
  private final Health health;
  private final SessionCache cache;
  private final Packing packing;
  private final SessionFiles files;
  private final Catalogue catalogue;
  private final Guard leaseGuard;
  private final JsonlLeases leases;
  private final Guard recordGuard;
  private final JsonlRecords recordFiles;
  private final DocumentTable records;
  private final Watchers watchers;
  private final Sweeper sweeper;
  private volatile boolean refusesDamage;

  private Engine(JsonlStore.Builder builder, Guard guard, DirectoryLock lock) {
    this.lock = lock;
    this.clock = Clock.tick(builder.clock, Duration.ofMillis(1));
    this.timeToLive = builder.timeToLive;
    this.disk = builder.disk;
    this.folders = new Folders(builder.folder, disk);
    this.health = new Health(builder.folder, lock.file());
    this.cache = new SessionCache(builder.cacheSessions, builder.cacheBytes);
    boolean readOnly = builder.opening.isReadOnly();
    this.sweeper = new Sweeper(limit -> readOnly ? 0 : guard.read(() -> sweepOrNothing(limit)));
    this.catalogue = new Catalogue(folders, disk, timeToLive, sweeper::start);
    this.packing = new Packing(folders, disk, health, builder.diskBlock);
    this.files = new SessionFiles(folders, disk, health, cache, timeToLive, packing, this);
    this.watchers = new Watchers((key, version) -> guard.read(() -> newsOrNothing(key, version)));
    this.leaseGuard = new Guard("jsonl:" + builder.folder);
    this.leases =
        new JsonlLeases(new SideFile(folders.own(Folders.LEASES), disk, health), leaseGuard, clock);
    this.recordGuard = new Guard("jsonl:" + builder.folder);
    this.recordFiles = new JsonlRecords(folders, disk, health, catalogue::know);
    this.records = new DocumentTable(recordGuard, clock, sweeper::start, recordFiles);
    if (timeToLive.isPresent()) {
      sweeper.start();
    }
  }

  static Engine open(JsonlStore.Builder builder, Guard guard) {
    Path folder = builder.folder;
    try {
      prepare(folder, builder);
      boolean readOnly = builder.opening.isReadOnly();
      DirectoryLock lock = readOnly ? DirectoryLock.share(folder) : DirectoryLock.take(folder);
      try {
        return new Engine(builder, guard, lock);
      } catch (RuntimeException | Error e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new StoreUnavailable(
          "cannot use the folder " + folder + " for sessions: " + Reasons.of(e), e, false);
    }
  }

  private static void prepare(Path folder, JsonlStore.Builder builder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    if (Files.exists(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
    if (!builder.opening.mayCreate()) {
      throw new NoSuchStore(
          "there is no folder " + folder + "; check the path, or make the store with 'clew init'");
    }
    Folders.makeRoot(folder, builder.disk);
    builder.opening.made("the folder " + folder);
  }

  EntryPage read(SessionKey key, Range range) {
    return files
        .read(
            key,
            now(),
            range.includeCompacted(),
            file ->
                sound(file, Reading.page(file.state().history(), file.state().archive(), range)))
        .orElse(EntryPage.EMPTY);
  }

  List<Item> items(SessionKey key, int limit) {
    return files
        .read(key, now(), false, file -> sound(file, file.state().history().newestItems(limit)))
        .orElse(List.of());
  }

  Optional<Entry> find(SessionKey key, String itemId) {
    return files
        .read(key, now(), false, file -> sound(file, file.state().history().find(itemId)))
        .flatMap(found -> found);
  }

  /** What was read of a file, unless damage is refused and it has some. */
  private <T> T sound(SessionFile file, T read) {
    if (refusesDamage && !file.damage().isEmpty()) {
      throw new CorruptRecord(
          "session "
              + file.state().key()
              + " has damaged lines, at positions "
              + file.damage().stream()
                  .flatMapToLong(one -> one.position().stream())
                  .boxed()
                  .toList()
              + "; nothing was removed, clew doctor tells more");
    }
    return read;
  }

  void refuseDamage() {
    refusesDamage = true;
  }

  Receipt apply(SessionKey key, Commit transaction, String digest) {
    Instant now = now();
    return files.change(
        key,
        now,
        access -> {
          Receipt receipt = Transactions.apply(key, transaction, digest, access.place(leases), now);
          if (transaction.step() instanceof ReplacePrefix prefix
              && prefix.drop()
              && !receipt.repeated()) {
            access.leaveNothingElse();
          }
          return receipt;
        });
  }

  Optional<Entry> removeLast(SessionKey key) {
    Instant now = now();
    return files.change(
        key,
        now,
        access ->
            access
                .find()
                .flatMap(
                    file -> {
                      if (file.endsDamaged()) {
                        file.dropDamage();
                      }
                      return file.state().removeLast(now);
                    }));
  }

  boolean delete(SessionKey key) {
    return files.change(
        key,
        now(),
        access -> {
          Optional<SessionFile> file = access.find();
          file.ifPresent(access::remove);
          return file.isPresent();
        });
  }

  /** What a fork takes over. */
  private record Forked(SessionInfo info, List<Entry> entries) {
    static Forked of(SessionState state, long upTo) {
      return new Forked(state.info(Optional.empty()), state.history().upTo(upTo));
    }
  }

  SessionInfo fork(
      SessionKey source, long upTo, SessionKey target, @Nullable ForkTransform copying) {
    Instant now = now();
    return files.lockedBoth(
        source,
        target,
        () -> {
          Forked from =
              files
                  .read(source, now, false, file -> Forked.of(file.state(), upTo))
                  .orElseThrow(() -> Conflicts.noSource(source));
          return files.change(
              target,
              now,
              access -> {
                if (access.find().isPresent()) {
                  throw Conflicts.targetExists(target);
                }
                SessionState state =
                    access.create(now, Optional.of(new SessionInfo.Parent(source, upTo)));
                state.copy(from.info(), from.entries(), copying);
                return state.info(timeToLive);
              });
        });
  }

  Optional<SessionInfo> info(SessionKey key) {
    return files.read(key, now(), false, file -> file.state().info(timeToLive));
  }

  SessionInfo update(SessionKey key, SessionUpdate update) {
    Instant now = now();
    SessionInfo info =
        files.change(
            key,
            now,
            access -> Transactions.update(key, update, access.place(leases), timeToLive, now));
    if (info.timeToLive().isPresent()) {
      sweeper.start();
    }
    return info;
  }

  SessionPage list(SessionQuery query) {
    return catalogue.page(query, now());
  }

  List<String> owners(Optional<String> after, int limit) {
    Instant now = now();
    List<String> page = new ArrayList<>();
    for (String owner : catalogue.owners()) {
      if (page.size() < limit
          && (after.isEmpty() || TextOrder.BY_CODE_POINT.compare(owner, after.get()) > 0)
          && (hasRecords(owner) || catalogue.hasSessions(owner, now))) { // one file, or all
        page.add(owner);
      }
    }
    return page;
  }

  private boolean hasRecords(String owner) {
    return !records.list(owner, "", Optional.empty(), 1).isEmpty();
  }

  SearchResult search(SearchQuery query) {
    return new Search(files, catalogue, clock).search(query);
  }

  Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    return watchers.watch(key, version, listener);
  }

  /** The watching thread outlives a disk that cannot be read for a while. */
  private Watchers.News newsOrNothing(SessionKey key, long version) {
    try {
      return news(key, version);
    } catch (StoreUnavailable e) {
      LOG.warn("cannot tell the watchers of session {} what changed", key, e);
      return new Watchers.News(List.of(), version);
    }
  }

  private Watchers.News news(SessionKey key, long version) {
    return files.peek(
        key,
        file -> {
          if (file != null) {
            SessionState state = file.state();
            return state.log().since(version, state.version(), state.history());
          }
          ChangeLog log = files.log(key);
          if (log != null) {
            return log.since(version, log.last(), NOTHING);
          }
          // Never existed, or its end is forgotten.
          return version == 0
              ? new Watchers.News(List.of(), 0)
              : new Watchers.News(List.of(new SessionEvent.Reload(0)), 0);
        });
  }

  Leases leases() {
    return leases.table();
  }

  Documents documents() {
    return records;
  }

  boolean isWorthPacking(SessionKey key) {
    return packing.isWorthwhile(key);
  }

  Optional<Compression.Saving> pack(SessionKey key) {
    return packing.isWorthwhile(key)
        ? files.replacing(key, () -> packing.pack(key))
        : Optional.empty();
  }

  boolean unpack(SessionKey key) {
    return packing.isPacked(key) && files.replacing(key, () -> packing.unpack(key));
  }

  void erase(String owner) {
    records.need(owner);
    recordGuard.write(
        () -> {
          recordFiles.erase(owner);
          records.erase(owner);
          recordFiles.tidy(records);
          return owner;
        });
    leases.erase(owner);
    new Erasure(folders, disk, health, files, catalogue).erase(owner);
  }

  int sweep(int limit) {
    Instant now = now();
    int removed = 0;
    for (SessionKey key : catalogue.due(limit, now)) {
      files.change(key, now, Access::find); // which removes what has expired
      leases.forgetIdle(key);
      removed++;
    }
    catalogue.owners().forEach(records::need);
    while (removed < limit && recordGuard.write(() -> records.sweepOne(now))) {
      removed++;
    }
    return removed;
  }

  /** The sweeping thread outlives a disk that cannot be written for a while. */
  private int sweepOrNothing(int limit) {
    try {
      return sweep(limit);
    } catch (StoreUnavailable e) {
      LOG.warn("cannot remove what has expired", e);
      return 0;
    }
  }

  void check(Consumer<Finding> findings) {
    Checkup checkup = new Checkup(folders, disk, health, files, packing, findings);
    checkup.store();
    catalogue.owners().forEach(checkup::owner);
  }

  void ping() {
    health.requireFolder();
    health.requireWritable();
  }

  void unload(SessionKey key) {
    files.unload(key);
  }

  @Override
  public void committed(SessionState state) {
    catalogue.put(state);
    watchers.changed(state.key());
  }

  @Override
  public void removed(SessionKey key) {
    catalogue.remove(key);
    watchers.changed(key);
  }

  private Instant now() {
    return clock.instant();
  }

  synchronized void close() {
    leaseGuard.close();
    recordGuard.close();
    watchers.close();
    sweeper.close();
    cache.close();
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("cannot close the lock file of {}", folders.root(), e);
    }
  }
}
