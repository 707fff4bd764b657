package dev.clew.internal;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Compression;
import dev.clew.Documents;
import dev.clew.Entry;
import dev.clew.ForkTransform;
import dev.clew.Leases;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.decorate.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A store that was opened to read only: refuses every write. As thread-safe as the store behind.
 */
public final class OpenedToRead extends ForwardingStore {
  private final Documents records;

  /** Refuses writes to {@code store}. */
  public OpenedToRead(SessionStore store) {
    super(store);
    this.records = new ReadOnlyRecords(store.documents());
  }

  private static ClewException refused() {
    return new ClewException.NotSupported(
        "this store was opened to read only; open it to write, then try again");
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    throw refused();
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    throw refused();
  }

  @Override
  public boolean delete(SessionKey key) {
    throw refused();
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    throw refused();
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    throw refused();
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    throw refused();
  }

  @Override
  public Leases leases() {
    throw refused();
  }

  @Override
  public Documents documents() {
    return records;
  }

  @Override
  public Compression compression() {
    return new ReadOnlyCompression(super.compression());
  }

  @Override
  public void erase(String owner) {
    throw refused();
  }

  @Override
  public int sweep(int limit) {
    throw refused();
  }

  private record ReadOnlyCompression(Compression behind) implements Compression {
    @Override
    public boolean isWorthwhile(SessionKey key) {
      return behind.isWorthwhile(key);
    }

    @Override
    public Optional<Saving> compress(SessionKey key) {
      throw refused();
    }

    @Override
    public boolean decompress(SessionKey key) {
      throw refused();
    }

    @Override
    public long shrink() {
      throw refused();
    }
  }

  private record ReadOnlyRecords(Documents behind) implements Documents {
    @Override
    public Optional<Document> get(String owner, String name) {
      return behind.get(owner, name);
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      return behind.list(owner, prefix, after, limit);
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      throw refused();
    }

    @Override
    public boolean delete(String owner, String name) {
      throw refused();
    }
  }
}
