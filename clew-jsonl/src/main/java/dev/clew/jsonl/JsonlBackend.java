package dev.clew.jsonl;

import dev.clew.Capability;
import dev.clew.ClewException.NoSuchStore;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Commit;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplacePrefix;
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
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import dev.clew.kit.Conflicts;
import dev.clew.kit.Reasons;
import dev.clew.kit.SessionInfos;
import dev.clew.kit.TextOrder;
import dev.clew.kit.state.ChangeLog;
import dev.clew.kit.state.DocumentTable;
import dev.clew.kit.state.Guard;
import dev.clew.kit.state.History;
import dev.clew.kit.state.SessionState;
import dev.clew.kit.state.Sweeper;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Changes;
import dev.clew.spi.Compression;
import dev.clew.spi.Compression.Saving;
import dev.clew.spi.Fork;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.RecentItems;
import dev.clew.spi.SelfCheck;
import dev.clew.spi.TextIndex;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of a {@link JsonlStore}. Thread-safe.
 *
 * <p>The path of a call: {@link SessionFiles} takes the lock of the session and finds it in the
 * {@link SessionCache} or reads the end of its file ({@link Tail}); a change updates the state in
 * memory, a {@link Batch} collects its lines, and it is acknowledged when they are on disk.
 */
final class JsonlBackend
    implements Backend,
        RecentItems,
        ItemLookup,
        LastRemoval,
        TextIndex,
        NativeLeases,
        ChangePush,
        SelfCheck,
        Compression {
  private static final Logger LOG = LoggerFactory.getLogger(JsonlBackend.class);
  private static final History NOTHING = new History();

  /** Closing waits for the calls in progress, which may run side by side: all of them only read. */
  private final Guard guard;

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
  private final Guard documentGuard;
  private final JsonlDocuments documentFiles;
  private final DocumentTable documents;
  private final List<ChangePush.Listener> listeners = new CopyOnWriteArrayList<>();
  private final Sweeper sweeper;

  private JsonlBackend(JsonlStore.Options options, DirectoryLock lock) {
    String name = "jsonl:" + options.folder();
    this.guard = new Guard(name);
    this.lock = lock;
    this.clock = Clock.tick(options.clock(), Duration.ofMillis(1));
    this.timeToLive = options.timeToLive();
    this.disk = options.disk();
    this.folders = new Folders(options.folder(), disk);
    this.health = new Health(options.folder(), lock.file());
    this.cache = new SessionCache(options.cacheSessions(), options.cacheBytes());
    boolean readOnly = options.opening().isReadOnly();
    this.sweeper = new Sweeper(limit -> readOnly ? 0 : sweep(limit));
    this.catalogue = new Catalogue(folders, disk, timeToLive, sweeper::start);
    this.packing = new Packing(folders, disk, health, options.diskBlock());
    this.files =
        new SessionFiles(
            folders, disk, health, cache, timeToLive, packing, this::committed, this::removed);
    this.leaseGuard = new Guard(name);
    this.leases =
        new JsonlLeases(new SideFile(folders.own(Folders.LEASES), disk, health), leaseGuard, clock);
    this.documentGuard = new Guard(name);
    this.documentFiles = new JsonlDocuments(folders, disk, health, catalogue::know);
    this.documents = new DocumentTable(documentGuard, clock, sweeper::start, documentFiles);
    if (timeToLive.isPresent()) {
      sweeper.start();
    }
  }

  static JsonlBackend open(JsonlStore.Options options) {
    Path folder = options.folder();
    try {
      prepare(folder, options);
      boolean readOnly = options.opening().isReadOnly();
      DirectoryLock lock = readOnly ? DirectoryLock.share(folder) : DirectoryLock.take(folder);
      try {
        return new JsonlBackend(options, lock);
      } catch (RuntimeException | Error e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new StoreUnavailable(
          "cannot use the folder " + folder + " for sessions: " + Reasons.of(e), e, false);
    }
  }

  private static void prepare(Path folder, JsonlStore.Options options) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    if (Files.exists(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
    Reasons.requireVisible(folder);
    if (!options.opening().mayCreate()) {
      throw new NoSuchStore(
          "there is no folder "
              + folder
              + "; check the path, or create the store with"
              + " 'clew init --store URL'");
    }
    Folders.makeRoot(folder, options.disk());
    options.opening().made("the folder " + folder);
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return guard.read(
        () ->
            files
                .read(key, now(), range.includeCompacted(), file -> page(file, range))
                .orElse(EntryPage.EMPTY));
  }

  private static EntryPage page(SessionFile file, Range range) {
    EntryPage page = file.state().page(range);
    return file.damage().isEmpty()
        ? page
        : new EntryPage(page.entries(), page.hasMore(), file.damagedAt(range, page));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return guard.read(
        () ->
            files
                .read(key, now(), false, file -> file.state().history().newestItems(limit))
                .orElse(List.of()));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return guard.read(
        () ->
            files
                .read(key, now(), false, file -> file.state().history().find(itemId))
                .flatMap(found -> found));
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    String digest = commit.operationId().isPresent() ? commit.digest() : "";
    return guard.read(
        () -> {
          Instant now = now();
          return files.change(key, now, change -> commit(key, commit, digest, change, now));
        });
  }

  private Receipt commit(
      SessionKey key, Commit commit, String digest, SessionChange change, Instant now) {
    if (commit.step() instanceof RemoveItem item && isUnconditional(commit)) {
      Optional<SessionFile> file = change.find().filter(f -> f.isDamagedAt(item.position()));
      if (file.isPresent()) {
        file.get().dropDamage();
        return new Receipt(
            file.get().state().info().version(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            false,
            true);
      }
    }
    Receipt receipt =
        change
            .findOrCreate()
            .commit(commit, digest, lease -> leases.fence(key, lease), timeToLive, now);
    if (commit.step() instanceof ReplacePrefix prefix && prefix.drop() && !receipt.repeated()) {
      change.leaveNothingElse();
    }
    return receipt;
  }

  private static boolean isUnconditional(Commit commit) {
    return commit.expectedVersion().isEmpty()
        && commit.expectedTail().isEmpty()
        && commit.fence().isEmpty();
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return guard.read(
        () -> {
          Instant now = now();
          return files.change(
              key, now, change -> change.find().flatMap(file -> removeLast(file, now)));
        });
  }

  private Optional<Entry> removeLast(SessionFile file, Instant now) {
    if (file.endsDamaged()) {
      file.dropDamage();
    }
    Optional<Entry> newest = file.state().page(Range.latest(1)).entries().stream().findFirst();
    newest.ifPresent(
        entry -> file.commit(Commit.removeItem(entry.position()), "", lease -> 0, timeToLive, now));
    return newest;
  }

  @Override
  public boolean delete(SessionKey key) {
    return guard.read(
        () ->
            files.change(
                key,
                now(),
                change -> {
                  Optional<SessionFile> file = change.find();
                  file.ifPresent(change::remove);
                  return file.isPresent();
                }));
  }

  private record Forked(SessionInfo info, List<Entry> entries) {
    static Forked of(SessionState state, long upTo) {
      return new Forked(state.info(), state.history().upTo(upTo));
    }
  }

  @Override
  public SessionInfo fork(Fork fork) {
    return guard.read(
        () -> files.lockedBoth(fork.source(), fork.target(), () -> fork(fork, now())));
  }

  private SessionInfo fork(Fork fork, Instant now) {
    Forked from =
        files
            .read(fork.source(), now, false, file -> Forked.of(file.state(), fork.upTo()))
            .orElseThrow(() -> Conflicts.noSource(fork.source()));
    return files.change(
        fork.target(),
        now,
        change -> {
          if (change.find().isPresent()) {
            throw Conflicts.targetExists(fork.target());
          }
          SessionFile file = change.findOrCreate();
          file.update(SessionInfos.forked(fork, from.info()), timeToLive, now);
          Commit copy = SessionState.copy(fork, from.entries(), file.sequence().last() + 1);
          file.commit(copy, "", lease -> 0, timeToLive, now);
          return shown(file);
        });
  }

  private SessionInfo shown(SessionFile file) {
    return SessionInfos.shown(file.state().info(), timeToLive);
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return guard.read(() -> files.read(key, now(), false, this::shown));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    SessionInfo info =
        guard.read(
            () -> {
              Instant now = now();
              return files.change(
                  key,
                  now,
                  change -> {
                    SessionFile file = change.findOrCreate();
                    file.update(update, timeToLive, now);
                    return shown(file);
                  });
            });
    if (info.timeToLive().isPresent()) {
      sweeper.start();
    }
    return info;
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return guard.read(() -> catalogue.page(query, now()));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return guard.read(
        () -> {
          Instant now = now();
          List<String> page = new ArrayList<>();
          for (String owner : catalogue.owners()) {
            if (page.size() < limit
                && (after.isEmpty() || TextOrder.BY_CODE_POINT.compare(owner, after.get()) > 0)
                && (hasDocuments(owner) || catalogue.hasSessions(owner, now))) { // one file, or all
              page.add(owner);
            }
          }
          return page;
        });
  }

  private boolean hasDocuments(String owner) {
    return !documents.list(owner, "", Optional.empty(), 1).isEmpty();
  }

  @Override
  public SearchResult search(SearchQuery query) {
    return guard.read(() -> new Search(files, catalogue, clock).search(query));
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    return guard.read(() -> files.peek(key, file -> changes(key, file, version)));
  }

  private Changes changes(SessionKey key, @Nullable SessionFile file, long version) {
    if (file != null) {
      SessionState state = file.state();
      return state.log().since(version, state.info().version(), state.history());
    }
    ChangeLog log = files.log(key);
    if (log != null) {
      return log.since(version, log.last(), NOTHING);
    }
    // It never existed, or its end is forgotten.
    return new Changes(version == 0 ? List.of() : List.of(new SessionEvent.Reload(0)), 0);
  }

  @Override
  public void attach(ChangePush.Listener listener) {
    listeners.add(listener);
  }

  private void committed(SessionInfo info) {
    catalogue.put(info);
    changed(info.key());
  }

  private void removed(SessionKey key) {
    catalogue.remove(key);
    changed(key);
  }

  private void changed(SessionKey key) {
    listeners.forEach(listener -> listener.changed(key));
  }

  @Override
  public Leases leases() {
    return leases.table();
  }

  @Override
  public Documents documents() {
    return documents;
  }

  @Override
  public boolean isWorthwhile(SessionKey key) {
    return guard.read(() -> packing.isWorthwhile(key));
  }

  @Override
  public Optional<Saving> compress(SessionKey key) {
    return guard.read(
        () ->
            packing.isWorthwhile(key)
                ? files.replacing(key, () -> packing.pack(key))
                : Optional.empty());
  }

  @Override
  public boolean decompress(SessionKey key) {
    return guard.read(
        () -> packing.isPacked(key) && files.replacing(key, () -> packing.unpack(key)));
  }

  /** Whole files are compressed, so none has free space. */
  @Override
  public long shrink() {
    return 0;
  }

  @Override
  public void erase(String owner) {
    guard.read(
        () -> {
          documents.need(owner);
          documentGuard.write(
              () -> {
                documentFiles.erase(owner);
                documents.erase(owner);
                documentFiles.tidy(documents);
                return owner;
              });
          leases.erase(owner);
          new Erasure(folders, disk, health, files, catalogue).erase(owner);
          return owner;
        });
  }

  @Override
  public int sweep(int limit) {
    return guard.read(
        () -> {
          Instant now = now();
          int removed = 0;
          for (SessionKey key : catalogue.due(limit, now)) {
            files.change(key, now, SessionChange::find); // removes what has expired
            leases.forgetIdle(key);
            removed++;
          }
          catalogue.owners().forEach(documents::need);
          while (removed < limit && documentGuard.write(() -> documents.sweepOne(now))) {
            removed++;
          }
          return removed;
        });
  }

  /** Findings are passed on after the lock is free: the receiver may even close the store. */
  @Override
  public void check(Consumer<Finding> findings) {
    List<Finding> found = new ArrayList<>();
    guard.read(
        () -> {
          Checkup checkup = new Checkup(folders, disk, health, files, packing, found::add);
          checkup.store();
          catalogue.owners().forEach(checkup::owner);
          return found;
        });
    found.forEach(findings);
  }

  @Override
  public void ping() {
    guard.read(
        () -> {
          health.requireFolder();
          health.requireWritable();
          return health;
        });
  }

  /** Drops a session from memory. */
  void unload(SessionKey key) {
    guard.read(
        () -> {
          files.unload(key);
          return key;
        });
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(
        Durability.POWER_LOSS,
        Set.of(Capability.SEARCH, Capability.SEALED_ITEMS, Capability.COMPRESSION));
  }

  private Instant now() {
    return clock.instant();
  }

  @Override
  public void close() {
    guard.close();
    leaseGuard.close();
    documentGuard.close();
    sweeper.close();
    cache.close();
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("cannot close the lock file of {}", folders.root(), e);
    }
  }
}
