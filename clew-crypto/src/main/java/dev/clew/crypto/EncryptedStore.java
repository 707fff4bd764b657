package dev.clew.crypto;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.ClewException.CorruptRecord;
import dev.clew.ClewException.NotSupported;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.ClewException.VersionConflict;
import dev.clew.Commit;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.spi.Compression;
import dev.clew.Documents;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.spi.ForkTransform;
import dev.clew.Item;
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
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Watch;
import dev.clew.decorate.ForwardingStore;
import dev.clew.kit.CommitInTurn;
import dev.clew.kit.DocumentRules;
import dev.clew.kit.EncryptionMark;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store whose content nobody can read who has not the keys. Thread-safe.
 *
 * <pre>{@code
 * MasterKeys keys = MasterKeys.of(KeySource.of("file:clew.key"));
 * try (SessionStore store = EncryptedStore.over(Stores.open("sqlite:conversations.db"), keys)) {
 *   …
 * }
 * }</pre>
 *
 * <p>Items with their notes, titles, metadata, tags and the text of records are encrypted with
 * AES-256-GCM, each for its place: owner, session and position, or owner and name. What was
 * changed, moved, copied elsewhere or written in clear is refused with {@link CorruptRecord}; it is
 * never passed over and never removed. Readable stay ids of owners, sessions, operations and
 * leases, names of records, positions, times, sizes, numbers and flags.
 *
 * <p>Search is off. Listing by title, or by a part of it, reads all sessions of the owner.
 */
public final class EncryptedStore extends ForwardingStore {
  private static final int ATTEMPTS = 1000;
  private static final long CACHE_BYTES = 32 << 20;

  /** No sealed item equals it, so a history cannot end with it. */
  private static final Item NO_SUCH_ITEM = Item.trusted("{}");

  private final OwnerKeys keys;
  private final OpenedTails tails = new OpenedTails(CACHE_BYTES);

  private EncryptedStore(SessionStore delegate, OwnerKeys keys) {
    super(delegate);
    this.keys = keys;
  }

  /**
   * Encrypts what goes into a store; the owners' keys are kept in it too.
   *
   * @throws StoreUnavailable if the store was written with other keys, or without any
   * @throws NotSupported without {@link Capability#SEALED_ITEMS}
   */
  public static EncryptedStore over(SessionStore store, MasterKeys master) {
    return over(store, master, store);
  }

  /**
   * Encrypts what goes into a store, with the owners' keys in another. Then a copy of the store
   * holds no keys, and deleting an owner's key makes every copy of what she wrote unreadable.
   */
  public static EncryptedStore over(SessionStore store, MasterKeys master, SessionStore keyStore) {
    if (!store.capabilities().contains(Capability.SEALED_ITEMS)) {
      throw new NotSupported(
          "this store cannot be encrypted: it does not ask Commit.placed for what it"
              + " writes (or is encrypted already); use a store of Clew's own");
    }
    boolean alone =
        !store.capabilities().contains(Capability.WATCH_ACROSS_PROCESSES) && keyStore == store;
    OwnerKeys keys = new OwnerKeys(keyStore, master, alone, System::nanoTime);
    keys.check(
        () -> store.owners(Optional.empty(), 1).isEmpty(),
        () ->
            new StoreUnavailable(
                EncryptionMark.isLost(keyStore)
                    ? "this store is encrypted, but its record '"
                        + EncryptionMark.NAME
                        + "' of owner '"
                        + EncryptionMark.OWNER
                        + "' is missing; restore a backup, nothing was changed"
                    : "this store holds sessions that are not encrypted; open it without a key, or"
                        + " move them to a new store: clew migrate",
                null,
                false));
    store.refuseDamage();
    return new EncryptedStore(store, keys);
  }

  /** Whether a store was opened with keys before, and so must not be written without them. */
  public static boolean isEncrypted(SessionStore store) {
    return EncryptionMark.isOn(store);
  }

  // Reading

  @Override
  public EntryPage read(SessionKey key, Range range) {
    EntryPage page = delegate().read(key, range);
    return page.entries().isEmpty()
        ? page
        : new EntryPage(open(key, page.entries()), page.hasMore());
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    PositionedItems sealed = delegate().newest(key, limit);
    return sealed.size() == 0
        ? List.of()
        : tails.items(key, sealed, limit, item -> sealOf(key, item));
  }

  @Override
  public PositionedItems newest(SessionKey key, int limit) {
    return PositionedItems.of(read(key, Range.latest(limit)));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    String hidden =
        keys.current(key.owner()).map(owner -> keys.seal(owner, key).id(itemId)).orElse(itemId);
    Optional<Entry> found = delegate().find(key, hidden);
    return found.map(entry -> open(key, List.of(entry)).get(0));
  }

  /** What the store behind keeps. */
  EntryPage sealedEntries(SessionKey key, Range range) {
    return delegate().read(key, range);
  }

  /** What the store behind keeps. */
  SessionPage sealedPage(SessionQuery query) {
    return delegate().list(query);
  }

  List<Entry> open(SessionKey key, List<Entry> sealed) {
    List<Entry> entries = new ArrayList<>(sealed.size());
    SessionSeal seal = sealOf(key, sealed.get(0).item());
    for (Entry entry : sealed) {
      entries.add(seal.open(entry));
    }
    return entries;
  }

  /** What opens an item; looks again if the key that is known is not the one. */
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
  public Receipt commit(SessionKey key, Commit transaction) {
    if (transaction.document().isPresent()) {
      return CommitInTurn.run(this, key, transaction);
    }
    if (transaction.step() instanceof ReplaceSuffix suffix) {
      return replaceSuffix(key, transaction, suffix);
    }
    return transaction.step().drafts().isEmpty()
        ? delegate().commit(key, transaction)
        : delegate().commit(key, transaction.sealed(sealForWriting(key), List.of()));
  }

  private SessionSeal sealForWriting(SessionKey key) {
    return keys.seal(keys.need(key.owner()), key);
  }

  /** The store compares what it keeps, so it is told which of that the caller expects. */
  private Receipt replaceSuffix(SessionKey key, Commit transaction, ReplaceSuffix step) {
    SessionSeal seal = sealForWriting(key);
    List<Item> stored = stored(key, step.expected());
    for (int attempt = 1; ; attempt++) {
      try {
        return delegate().commit(key, transaction.sealed(seal, stored));
      } catch (VersionConflict e) {
        // The same words may have been taken out and written anew meanwhile.
        List<Item> now = stored(key, step.expected());
        if (now.equals(stored) || attempt == ATTEMPTS) {
          throw e;
        }
        stored = now;
      }
    }
  }

  /** What the store keeps of the end of a history, if that end is what is expected. */
  private List<Item> stored(SessionKey key, List<Item> expected) {
    int count = expected.size();
    PositionedItems newest = delegate().newest(key, count);
    int from = newest.size() - count;
    if (from >= 0 && tails.items(key, newest, count, item -> sealOf(key, item)).equals(expected)) {
      return List.copyOf(newest.items().subList(from, newest.size()));
    }
    return List.of(NO_SUCH_ITEM);
  }

  /**
   * Takes out the newest entry after it was opened: what cannot be opened stays where it is, and
   * whoever is faster makes us look again.
   */
  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    for (int attempt = 1; ; attempt++) {
      List<Entry> newest = read(key, Range.latest(1)).entries();
      if (newest.isEmpty()) {
        return Optional.empty();
      }
      long position = newest.get(0).position();
      try {
        delegate().commit(key, Commit.removeItem(position).expectTail(position));
        return Optional.of(newest.get(0));
      } catch (VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    // Everything that is needed is looked up before: inside the store's transaction it may not be.
    OwnerKey sourceOwner = keys.need(source.owner());
    OwnerKey targetOwner = keys.need(target.owner());
    SessionSeal from = keys.seal(sourceOwner, source);
    SessionSeal to = keys.seal(targetOwner, target);
    ForkTransform resealing =
        new ForkTransform() {
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
    return open(delegate().fork(source, upTo, target, resealing));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    throw new NotSupported("this store binds content to its place itself; encrypt it once");
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

  /** The same where one that is damaged must not keep others from being seen or changed. */
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
      return openOrMark(delegate().update(key, update)); // it is done, whatever else is damaged
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
    DocumentRules.checkLimit(limit);
    List<String> names = new ArrayList<>(delegate().owners(after, limit));
    int all = names.size();
    int own = (int) names.stream().filter(OwnerKeys::isOwn).count();
    if (own > 0) {
      boolean more = all == limit && OwnerKeys.isOwn(names.get(all - 1));
      names.removeIf(OwnerKeys::isOwn);
      if (more) {
        // The page ended among the keys; what comes behind them goes on.
        names.addAll(delegate().owners(Optional.of(OwnerKeys.BEHIND), limit - names.size()));
      } else if (all == limit) {
        names.addAll(delegate().owners(Optional.of(names.get(names.size() - 1)), own));
      }
    }
    return List.copyOf(names);
  }

  @Override
  public Optional<SessionStore> snapshot() {
    return delegate().snapshot().map(still -> new EncryptedStore(still, keys));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    delegate().ping(); // a store that is closed says so
    throw new NotSupported(
        "an encrypted store cannot be searched: an index would hold the words in clear; export"
            + " what you look through, or keep it in a store without a key");
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.noneOf(Capability.class);
    all.addAll(delegate().capabilities());
    all.remove(Capability.SEARCH);
    all.remove(Capability.SEALED_ITEMS);
    all.remove(Capability.COMPRESSION);
    all.remove(Capability.ATOMIC_DOCUMENTS);
    return Set.copyOf(all);
  }

  @Override
  public Compression compression() {
    throw new NotSupported(
        "an encrypted store cannot compress sessions: what is sealed does not get smaller; keep"
            + " them in a store without a key, or on a file system that has room");
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    Objects.requireNonNull(listener, "listener");
    return delegate().watch(key, version, event -> listener.accept(open(key, event)));
  }

  /** Whoever is told to read again meets what cannot be opened, with the reason. */
  private SessionEvent open(SessionKey key, SessionEvent event) {
    try {
      if (event instanceof SessionEvent.Appended appended) {
        return new SessionEvent.Appended(appended.version(), openAll(key, appended.entries()));
      }
      if (event instanceof SessionEvent.Replaced replaced) {
        return new SessionEvent.Replaced(
            replaced.version(), replaced.upTo(), openAll(key, replaced.entries()));
      }
      if (event instanceof SessionEvent.Edited edited) {
        return new SessionEvent.Edited(edited.version(), open(key, List.of(edited.entry())).get(0));
      }
      return event;
    } catch (ClewException e) {
      return new SessionEvent.Reload(event.version());
    }
  }

  private List<Entry> openAll(SessionKey key, List<Entry> entries) {
    return entries.isEmpty() ? entries : open(key, entries);
  }

  // The store

  @Override
  public Documents documents() {
    return new SealedRecords(delegate().documents(), keys);
  }

  /**
   * Deletes the owner's key first: from then on nothing of hers can be read, whatever is left of it
   * anywhere.
   */
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
    delegate().check(findings);
    new Checkup(this, findings).run();
  }
}
