package dev.clew.kit;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
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
import dev.clew.SessionKey;
import dev.clew.Watch;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Compression;
import dev.clew.spi.Inspection;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.NativeLeases;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import dev.clew.spi.SelfCheck;
import dev.clew.spi.Snapshots;
import dev.clew.spi.TextIndex;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A backend with everything that a store offers: what the wrapped one has, and a slower way for the
 * rest. Thread-safe.
 */
class CompleteBackend extends ForwardingBackend
    implements RecentItems, ItemLookup, LastRemoval, TextIndex, NativeLeases, SelfCheck {
  private static final int PAGE = 256;

  /** Features without a slower replacement. */
  private static final Set<Class<?>> OPTIONAL =
      Set.of(
          AsyncCommits.class,
          Snapshots.class,
          Compression.class,
          Inspection.class,
          ChangePush.class);

  private final Optional<RecentItems> recent;
  private final Optional<ItemLookup> lookup;
  private final Optional<LastRemoval> removal;
  private final Optional<TextIndex> index;
  private final Optional<AsyncCommits> async;
  private final Optional<SelfCheck> checkup;
  private final Leases leases;
  private final Watchers watchers = new Watchers((key, version) -> changes(key, version));
  private boolean attached;

  CompleteBackend(Backend backend, Clock clock) {
    super(backend);
    recent = backend.feature(RecentItems.class);
    lookup = backend.feature(ItemLookup.class);
    removal = backend.feature(LastRemoval.class);
    index = backend.feature(TextIndex.class);
    async = backend.feature(AsyncCommits.class);
    checkup = backend.feature(SelfCheck.class);
    leases =
        backend
            .feature(NativeLeases.class)
            .map(NativeLeases::leases)
            .orElseGet(() -> new DocumentLeases(backend.documents(), clock));
  }

  @Override
  public <F> Optional<F> feature(Class<F> feature) {
    return OPTIONAL.contains(feature)
        ? delegate().feature(feature)
        : feature.isInstance(this) ? Optional.of(feature.cast(this)) : Optional.empty();
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    Backend backend = reading();
    return recent.isPresent()
        ? recent.get().items(key, limit)
        : backend.read(key, Range.latest(limit)).items();
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    reading();
    return recent.isPresent()
        ? recent.get().newest(key, limit)
        : RecentItems.super.newest(key, limit);
  }

  @Override
  public int atHand() {
    return recent.map(RecentItems::atHand).orElse(0);
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    Backend backend = reading();
    if (lookup.isPresent()) {
      return lookup.get().find(key, itemId);
    }
    for (Entry entry : Range.latest(PAGE).walk(range -> backend.read(key, range))) {
      if (entry.item().id().filter(itemId::equals).isPresent()) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /** Repeated if another writer is faster. Damaged entries at the end are removed first. */
  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    if (removal.isPresent()) {
      return removal.get().removeLast(key);
    }
    return Contended.repeat(() -> removeNewest(key));
  }

  private Optional<Entry> removeNewest(SessionKey key) {
    EntryPage page = read(key, Range.latest(1));
    long newest = page.entries().isEmpty() ? Long.MIN_VALUE : page.entries().get(0).position();
    for (long damaged : page.damaged()) {
      if (damaged > newest) {
        commit(key, Commit.removeItem(damaged));
      }
    }
    if (page.entries().isEmpty()) {
      return Optional.empty();
    }
    commit(key, Commit.removeItem(newest).expectTail(newest));
    return Optional.of(page.entries().get(0));
  }

  CompletableFuture<Receipt> commitAsync(SessionKey key, Commit commit) {
    try {
      return async.isPresent()
          ? async.get().commitAsync(key, commit)
          : CompletableFuture.completedFuture(delegate().commit(key, commit));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public SearchResult search(SearchQuery query) {
    Backend backend = reading();
    if (index.isPresent()) {
      return index.get().search(query);
    }
    if (!traits().has(Capability.SEARCH)) {
      throw new ClewException.NotSupported("this store cannot be searched; read its sessions");
    }
    return ScanningSearch.run(backend, query);
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return leases instanceof DocumentLeases
        ? DocumentLeases.withoutOwner(super::owners, after, limit)
        : super.owners(after, limit);
  }

  @Override
  public void erase(String owner) {
    super.erase(owner);
    if (leases instanceof DocumentLeases kept) {
      kept.free(owner);
    }
  }

  @Override
  public void check(Consumer<Finding> findings) {
    Backend backend = reading();
    if (checkup.isPresent()) {
      checkup.get().check(findings);
    } else {
      PairingCheck.run(backend, findings);
    }
  }

  Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    ping();
    attach();
    return watchers.watch(key, version, listener);
  }

  /** On the first watch: most stores are never watched. */
  private synchronized void attach() {
    if (!attached) {
      attached = true;
      feature(ChangePush.class).ifPresent(push -> push.attach(watchers));
    }
  }

  @Override
  public void close() {
    watchers.close();
    super.close();
  }
}
