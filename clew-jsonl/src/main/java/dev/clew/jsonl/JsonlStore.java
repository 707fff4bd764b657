package dev.clew.jsonl;

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
import dev.clew.kit.DocumentRules;
import dev.clew.kit.TimeToLive;
import dev.clew.kit.state.Guard;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sessions in a folder of files that people can read, one for each session. Thread-safe; one
 * process at a time may have the folder open.
 *
 * <pre>{@code
 * try (SessionStore store = JsonlStore.open(Path.of("sessions"))) {
 *   store.session("feishu:oc_xxx").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 *
 * <p>The lines of a file are described at {@link SessionFile}, the names at {@link Names}, what
 * else is in the folder at {@link Folders}. Files of other programs with lines {@code
 * {"type":"message","data":{"role":…,"content":…,"timestamp":…}}} are read as they are, and written
 * anew with our keys when something is first added to them.
 *
 * <p>What follows one call: {@link SessionFiles} takes the lock of the session and finds it in the
 * {@link SessionCache} or reads the end of its file ({@link Tail}); a change is made to the state
 * in memory, whose {@link Batch} collects the lines, and is acknowledged when they are on the disk.
 */
public final class JsonlStore implements SessionStore {
  private final SessionSettings settings;
  private final ItemLimits limits;
  private final Guard guard;
  private final Engine engine;
  private final Compression compression = new PackedFiles();

  private JsonlStore(Builder builder) {
    this.settings = builder.settings;
    this.limits = builder.limits;
    this.guard = new Guard("jsonl:" + builder.folder);
    this.engine = Engine.open(builder, guard);
  }

  /** Opens a folder with the defaults, and makes it if needed. */
  public static JsonlStore open(Path folder) {
    return builder(folder).open();
  }

  /** Settings for a folder. */
  public static Builder builder(Path folder) {
    return new Builder(folder);
  }

  @Override
  public SessionSettings settings() {
    return settings;
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return guarded(() -> engine.read(key, range));
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    return guarded(() -> engine.items(key, limit));
  }

  @Override
  public Optional<Entry> find(SessionKey key, String itemId) {
    return guarded(() -> engine.find(key, itemId));
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    if (!transaction.isHistoryOnly()) {
      return CommitInTurn.run(this, key, transaction);
    }
    transaction.check(limits);
    String digest = transaction.operationId().isPresent() ? transaction.digest() : "";
    return guarded(() -> engine.apply(key, transaction, digest));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return guarded(() -> engine.removeLast(key));
  }

  @Override
  public boolean delete(SessionKey key) {
    return guarded(() -> engine.delete(key));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return guarded(() -> engine.fork(source, upTo, target, null));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    return guarded(() -> engine.fork(source, upTo, target, copying));
  }

  @Override
  public void refuseDamage() {
    engine.refuseDamage();
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return guarded(() -> engine.info(key));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return guarded(() -> engine.update(key, update));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return guarded(() -> engine.list(query));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    DocumentRules.checkLimit(limit);
    return guarded(() -> engine.owners(after, limit));
  }

  @Override
  public SearchResult search(SearchQuery query) {
    return guarded(() -> engine.search(query));
  }

  @Override
  public Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    return guarded(() -> engine.watch(key, version, listener));
  }

  @Override
  public Leases leases() {
    return engine.leases();
  }

  @Override
  public Documents documents() {
    return engine.documents();
  }

  @Override
  public Compression compression() {
    return compression;
  }

  /** Whole files become gzip files, which need no room to be given back. */
  private final class PackedFiles implements Compression {
    @Override
    public boolean isWorthwhile(SessionKey key) {
      return guarded(() -> engine.isWorthPacking(key));
    }

    @Override
    public Optional<Saving> compress(SessionKey key) {
      return guarded(() -> engine.pack(key));
    }

    @Override
    public boolean decompress(SessionKey key) {
      return guarded(() -> engine.unpack(key));
    }

    @Override
    public long shrink() {
      return 0;
    }
  }

  @Override
  public void erase(String owner) {
    SessionKey.checkOwner(owner);
    guarded(
        () -> {
          engine.erase(owner);
          return owner;
        });
  }

  @Override
  public int sweep(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    return guarded(() -> engine.sweep(limit));
  }

  @Override
  public void check(Consumer<Finding> findings) {
    // Passed on outside, where the caller may do anything, even close the store.
    guarded(
            () -> {
              List<Finding> found = new ArrayList<>();
              engine.check(found::add);
              return found;
            })
        .forEach(findings);
  }

  @Override
  public void ping() {
    guarded(
        () -> {
          engine.ping();
          return this;
        });
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.SEARCH, Capability.SEALED_ITEMS, Capability.COMPRESSION);
  }

  @Override
  public Durability durability() {
    return Durability.POWER_LOSS;
  }

  /**
   * Forgets what is in memory of a session; nothing is lost. The next call reads its file, for
   * example after it was edited by hand.
   */
  public void unload(SessionKey key) {
    guarded(
        () -> {
          engine.unload(key);
          return key;
        });
  }

  /** Everything but closing may go on side by side, so it is all reading to the guard. */
  private <T> T guarded(Supplier<T> work) {
    return guard.read(work);
  }

  @Override
  public void close() {
    guard.close();
    engine.close();
  }

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder {
    final Path folder;
    Clock clock = Clock.systemUTC();
    Optional<Duration> timeToLive = Optional.empty();
    int cacheSessions = 256;
    long cacheBytes = 32 << 20;
    long diskBlock = 4096;
    Opening opening = Opening.CREATE;
    Disk disk = new RealDisk(false);
    private SessionSettings settings = SessionSettings.DEFAULT;
    private ItemLimits limits = ItemLimits.STORE;

    private Builder(Path folder) {
      this.folder = Objects.requireNonNull(folder, "folder");
    }

    /** Where the store takes the time from; it orders nothing. The system's clock unless set. */
    public Builder clock(Clock value) {
      clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /** How sessions are read when the caller does not say; everything unless set. */
    public Builder settings(SessionSettings value) {
      settings = Objects.requireNonNull(value, "settings");
      return this;
    }

    /** How large an item may be; {@link ItemLimits#STORE} unless set. */
    public Builder limits(ItemLimits value) {
      limits = Objects.requireNonNull(value, "limits");
      return this;
    }

    /** How long a session lives after its history last changed; for ever unless set. */
    public Builder timeToLive(Duration value) {
      timeToLive = Optional.of(TimeToLive.check("a session", value));
      return this;
    }

    /** How many sessions are kept in memory, each with an open file; 256 unless set. */
    public Builder cacheSessions(int value) {
      cacheSessions = atLeastZero("cacheSessions", value);
      return this;
    }

    /** How much memory the items of those sessions may take; 32 MiB unless set. */
    public Builder cacheBytes(long value) {
      cacheBytes = atLeastZero("cacheBytes", value);
      return this;
    }

    /**
     * What a file takes on the disk is a multiple of this, so compressing it has to save one; 4 KiB
     * unless set. With 0 every file is compressed that may be.
     */
    public Builder diskBlock(long bytes) {
      diskBlock = atLeastZero("diskBlock", bytes);
      return this;
    }

    private static <N extends Number> N atLeastZero(String what, N value) {
      if (value.longValue() < 0) {
        throw new IllegalArgumentException(what + " is negative: " + value);
      }
      return value;
    }

    /** How far opening may go; {@link Opening#CREATE} unless set. */
    Builder opening(Opening value) {
      opening = value;
      disk = new RealDisk(value.isReadOnly());
      return this;
    }

    /** Puts something in front of the files. */
    Builder disk(Disk value) {
      disk = value;
      return this;
    }

    /**
     * Opens the store, and makes the folder if needed.
     *
     * @throws ClewException.StoreUnavailable if another process has it open, naming that process,
     *     or if the folder cannot be used
     */
    public JsonlStore open() {
      return new JsonlStore(this);
    }
  }
}
