package dev.clew.crypto;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.ClewException.CorruptRecord;
import dev.clew.ClewException.NotSupported;
import dev.clew.ClewException.VersionConflict;
import dev.clew.Commit;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Documents;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Item;
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
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.kit.StoreSettings;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.Changes;
import dev.clew.spi.Compression;
import dev.clew.spi.Fork;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.PositionedItems;
import dev.clew.spi.RecentItems;
import dev.clew.spi.SelfCheck;
import dev.clew.spi.Snapshots;
import dev.clew.spi.TextIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What {@link EncryptedStore} does with each call. Thread-safe.
 *
 * <p>Nothing is skipped: where the wrapped backend leaves out an entry that it cannot read back,
 * the call fails, because the damage may be deliberate.
 */
final class EncryptedBackend extends ForwardingBackend
    implements RecentItems, ItemLookup, TextIndex, AsyncCommits, Snapshots, SelfCheck {
  private static final int ATTEMPTS = 1000;
  private static final long CACHE_BYTES = 32 << 20;
  private static final int PAGE = 500;

  /** No sealed item equals it, so a history cannot end with it. */
  private static final Item NO_SUCH_ITEM = Item.trusted("{}");

  private final OwnerKeys keys;
  private final RecentItems recent;
  private final ItemLookup lookup;
  private final Optional<AsyncCommits> async;
  private final Optional<Snapshots> snapshots;
  private final SealedDocuments documents;
  private final OpenedTails tails = new OpenedTails(CACHE_BYTES);

  EncryptedBackend(Backend delegate, OwnerKeys keys) {
    super(delegate);
    this.keys = keys;
    recent = delegate.feature(RecentItems.class).orElseThrow();
    lookup = delegate.feature(ItemLookup.class).orElseThrow();
    async = delegate.feature(AsyncCommits.class);
    snapshots = delegate.feature(Snapshots.class);
    documents = new SealedDocuments(delegate.documents(), keys);
  }

  /** Compression is not offered: ciphertext does not get smaller. */
  @Override
  public <F> Optional<F> feature(Class<F> feature) {
    boolean missing =
        feature == Compression.class
            || (feature == AsyncCommits.class && async.isEmpty())
            || (feature == Snapshots.class && snapshots.isEmpty());
    return missing ? Optional.empty() : super.feature(feature);
  }

  // Reading

  @Override
  public EntryPage read(SessionKey key, Range range) {
    EntryPage page = delegate().read(key, range);
    refuseDamage(key, page.damaged());
    return new EntryPage(open(key, page.entries()), page.hasMore());
  }

  private static void refuseDamage(SessionKey key, List<Long> damaged) {
    if (!damaged.isEmpty()) {
      throw SessionSeal.corrupt(key, damaged.get(0), "is damaged");
    }
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    PositionedItems sealed = sealedNewest(key, limit);
    return sealed.size() == 0
        ? List.of()
        : tails.items(key, sealed, limit, item -> sealOf(key, item));
  }

  private PositionedItems sealedNewest(SessionKey key, int limit) {
    PositionedItems sealed = recent.newest(key, limit);
    refuseDamage(key, sealed.damaged());
    return sealed;
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    String hidden =
        keys.current(key.owner()).map(owner -> keys.seal(owner, key).id(itemId)).orElse(itemId);
    return lookup.find(key, hidden).map(entry -> open(key, entry));
  }

  private List<Entry> open(SessionKey key, List<Entry> sealed) {
    if (sealed.isEmpty()) {
      return sealed;
    }
    List<Entry> entries = new ArrayList<>(sealed.size());
    SessionSeal seal = sealOf(key, sealed.get(0).item());
    for (Entry entry : sealed) {
      entries.add(seal.open(entry));
    }
    return entries;
  }

  Entry open(SessionKey key, Entry sealed) {
    return sealOf(key, sealed.item()).open(sealed);
  }

  /** What opens an item; reads the key again if the known one is outdated. */
  private SessionSeal sealOf(SessionKey key, Item sealed) {
    Optional<Integer> needed = SessionSeal.ownerKey(sealed);
    Optional<SessionSeal> seal = keys.seal(key);
    if (needed.isPresent() && !seal.map(SessionSeal::ownerKey).equals(needed)) {
      seal = keys.current(key.owner()).map(owner -> keys.seal(owner, key));
    }
    return seal.orElseThrow(
        () ->
            new CorruptRecord(
                "session "
                    + key
                    + " cannot be decrypted: its owner has no key here; nothing was removed"));
  }

  // Writing

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    return commit.step() instanceof ReplaceSuffix suffix
        ? replaceSuffix(key, commit, suffix)
        : delegate().commit(key, seal(key, commit));
  }

  @Override
  public CompletableFuture<Receipt> commitAsync(SessionKey key, Commit commit) {
    try {
      return commit.step() instanceof ReplaceSuffix suffix
          ? CompletableFuture.completedFuture(replaceSuffix(key, commit, suffix))
          : async.orElseThrow().commitAsync(key, seal(key, commit));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Looks up all keys first, because a store's transaction must not call the store. */
  private Commit seal(SessionKey key, Commit commit) {
    boolean hasDrafts = !commit.step().drafts().isEmpty();
    if (!hasDrafts && commit.document().isEmpty()) {
      return commit;
    }
    OwnerKey owner = keys.need(key.owner());
    Commit sealed = SealedDocuments.seal(owner, commit);
    return hasDrafts ? sealed.sealed(keys.seal(owner, key), List.of()) : sealed;
  }

  /** The store compares sealed items, so the expected ones are looked up in sealed form. */
  private Receipt replaceSuffix(SessionKey key, Commit plain, ReplaceSuffix step) {
    OwnerKey owner = keys.need(key.owner());
    SessionSeal seal = keys.seal(owner, key);
    Commit commit = SealedDocuments.seal(owner, plain);
    List<Item> stored = stored(key, step.expected());
    for (int attempt = 1; ; attempt++) {
      try {
        return delegate().commit(key, commit.sealed(seal, stored));
      } catch (VersionConflict e) {
        // The same items may have been removed and added again meanwhile.
        List<Item> now = stored(key, step.expected());
        if (now.equals(stored) || attempt == ATTEMPTS) {
          throw e;
        }
        stored = now;
      }
    }
  }

  /** The sealed end of a history, if it holds the expected items. */
  private List<Item> stored(SessionKey key, List<Item> expected) {
    int count = expected.size();
    PositionedItems newest = sealedNewest(key, count);
    int from = newest.size() - count;
    if (from >= 0 && tails.items(key, newest, count, item -> sealOf(key, item)).equals(expected)) {
      return List.copyOf(newest.items().subList(from, newest.size()));
    }
    return List.of(NO_SUCH_ITEM);
  }

  @Override
  public SessionInfo fork(Fork fork) {
    if (fork.transform().isPresent()) {
      throw new NotSupported("this store binds content to its place itself; encrypt it once");
    }
    SessionKey source = fork.source();
    SessionKey target = fork.target();
    refuseDamage(source, fork.upTo());
    OwnerKey sourceOwner = keys.need(source.owner());
    OwnerKey targetOwner = keys.need(target.owner());
    SessionSeal from = keys.seal(sourceOwner, source);
    SessionSeal to = keys.seal(targetOwner, target);
    Fork.Transform resealing =
        new Fork.Transform() {
          @Override
          public Draft entry(Entry entry, long position) {
            Entry plain = from.open(entry);
            return to.seal(new Draft(plain.item(), plain.notes()), position);
          }

          @Override
          public SessionUpdate describe(SessionInfo info) {
            Description plain = Description.open(info, sourceOwner, from);
            return SessionUpdate.none()
                .metadata(plain.seal(to))
                .tags(plain.hiddenTags(targetOwner));
          }
        };
    return open(delegate().fork(new Fork(source, fork.upTo(), target, Optional.of(resealing))));
  }

  /** A fork would leave out damaged entries. */
  private void refuseDamage(SessionKey key, long upTo) {
    Function<Range, EntryPage> read =
        range -> {
          EntryPage page = delegate().read(key, range);
          refuseDamage(key, page.damaged().stream().filter(position -> position <= upTo).toList());
          return page;
        };
    for (Entry entry : Range.first(PAGE).walk(read)) {
      if (entry.position() >= upTo) {
        return;
      }
    }
  }

  // Sessions

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return delegate().info(key).map(this::open);
  }

  private SessionInfo open(SessionInfo info) {
    if (Description.isEmpty(info)) {
      return info;
    }
    SessionKey key = info.key();
    Optional<OwnerKey> known =
        keys.find(key.owner()).filter(owner -> Description.isSealedWith(owner, info));
    OwnerKey owner =
        known
            .or(() -> keys.current(key.owner()))
            .orElseThrow(
                () -> Description.corrupt(key, "cannot be decrypted: its owner has no key here"));
    return Description.open(info, owner, keys.seal(owner, key)).of(info);
  }

  /** The same, for calls that one damaged description must not fail. */
  private SessionInfo openOrMark(SessionInfo info) {
    try {
      return open(info);
    } catch (CorruptRecord e) {
      return Description.damaged(info);
    }
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    if (update.title().isEmpty() && update.metadata().isEmpty() && update.tags().isEmpty()) {
      return openOrMark(delegate().update(key, update)); // the update is done, damaged or not
    }
    OwnerKey owner = keys.need(key.owner());
    SessionSeal seal = keys.seal(owner, key);
    for (int attempt = 1; ; attempt++) {
      Optional<SessionInfo> before = delegate().info(key);
      Description plain =
          before.map(info -> Description.open(info, owner, seal)).orElse(Description.NONE);
      Description next = plain.with(update);
      long version = before.map(SessionInfo::version).orElse(0L);
      SessionUpdate sealed =
          new SessionUpdate(
              Optional.empty(),
              Optional.of(next.seal(seal)),
              Optional.of(next.hiddenTags(owner)),
              update.archived(),
              update.pinned(),
              update.timeToLive(),
              update.times(),
              update.parent(),
              OptionalLong.of(update.expectedVersion().orElse(version)));
      try {
        return open(delegate().update(key, sealed));
      } catch (VersionConflict e) {
        if (update.expectedVersion().isPresent() || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public SessionPage list(SessionQuery query) {
    Optional<String> tag =
        query
            .tag()
            .map(
                text ->
                    keys.current(query.owner()).map(key -> key.tags().hash(text)).orElse("no key"));
    return SealedList.page(delegate(), query, tag, this::openOrMark);
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    List<String> names = new ArrayList<>(delegate().owners(after, limit));
    int all = names.size();
    int own = (int) names.stream().filter(OwnerKeys::isOwn).count();
    if (own > 0) {
      boolean more = all == limit && OwnerKeys.isOwn(names.get(all - 1));
      names.removeIf(OwnerKeys::isOwn);
      if (more) {
        // The page ended among the keys; continue after them.
        names.addAll(delegate().owners(Optional.of(OwnerKeys.BEHIND), limit - names.size()));
      } else if (all == limit) {
        names.addAll(delegate().owners(Optional.of(names.get(names.size() - 1)), own));
      }
    }
    return List.copyOf(names);
  }

  @Override
  public Optional<Backend> snapshot() {
    return snapshots
        .orElseThrow()
        .snapshot()
        .map(still -> BackendStore.of(still, StoreSettings.of("the snapshot")))
        .map(still -> new EncryptedBackend(Backend.of(still), keys));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    delegate().ping(); // a store that is closed says so
    throw new NotSupported(
        "an encrypted store cannot be searched: an index would hold the words in clear; export"
            + " what you look through, or keep it in a store without a key");
  }

  @Override
  public StoreTraits traits() {
    return delegate()
        .traits()
        .without(Capability.SEARCH, Capability.SEALED_ITEMS, Capability.COMPRESSION);
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    Changes found = delegate().changes(key, version);
    return new Changes(
        found.events().stream().map(event -> open(key, event)).toList(),
        found.version(),
        found.more());
  }

  /** A watcher that reloads gets the error for what cannot be opened. */
  private SessionEvent open(SessionKey key, SessionEvent event) {
    try {
      if (event instanceof SessionEvent.Appended appended) {
        return new SessionEvent.Appended(appended.version(), open(key, appended.entries()));
      }
      if (event instanceof SessionEvent.Replaced replaced) {
        return new SessionEvent.Replaced(
            replaced.version(), replaced.upTo(), open(key, replaced.entries()));
      }
      if (event instanceof SessionEvent.Edited edited) {
        return new SessionEvent.Edited(edited.version(), open(key, edited.entry()));
      }
      return event;
    } catch (ClewException e) {
      return new SessionEvent.Reload(event.version());
    }
  }

  // The store

  @Override
  public Documents documents() {
    return documents;
  }

  /** Deletes the owner's key first, so that whatever is left anywhere cannot be decrypted. */
  @Override
  public void erase(String owner) {
    SessionKey.checkOwner(owner);
    OwnerKeys.refuseOwn(owner);
    keys.delete(owner);
    tails.forget(owner);
    delegate().erase(owner);
    tails.forget(owner);
  }

  @Override
  public void check(Consumer<Finding> findings) {
    delegate().feature(SelfCheck.class).ifPresent(check -> check.check(findings));
    new Checkup(this, delegate(), findings).run();
  }
}
