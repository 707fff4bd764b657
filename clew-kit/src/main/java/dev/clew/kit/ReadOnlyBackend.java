package dev.clew.kit;

import dev.clew.Capability;
import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.Durability;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoreTraits;
import dev.clew.spi.Backend;
import dev.clew.spi.Changes;
import dev.clew.spi.Fork;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A read-only backend: a snapshot of another, or a backup. Subclasses read entries, sessions,
 * owners and documents. As thread-safe as the subclass.
 */
public abstract class ReadOnlyBackend implements Backend {
  private final String what;

  /**
   * @param what its name in errors
   */
  protected ReadOnlyBackend(String what) {
    this.what = what;
  }

  private ClewException readOnly() {
    return new ClewException.NotSupported(what + " can be read only; open the store itself");
  }

  /** As {@link Documents#get}. */
  protected abstract Optional<Document> document(String owner, String name);

  /** As {@link Documents#list}; the limit is already checked. */
  protected abstract List<Document> documents(
      String owner, String prefix, Optional<String> after, int limit);

  @Override
  public final Documents documents() {
    return new ReadOnlyDocuments();
  }

  private final class ReadOnlyDocuments implements Documents {
    @Override
    public Optional<Document> get(String owner, String name) {
      return document(owner, name);
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      return documents(owner, prefix, after, limit);
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      throw readOnly();
    }

    @Override
    public boolean delete(String owner, String name) {
      throw readOnly();
    }
  }

  @Override
  public Receipt commit(SessionKey key, Commit commit) {
    throw readOnly();
  }

  @Override
  public boolean delete(SessionKey key) {
    throw readOnly();
  }

  @Override
  public SessionInfo fork(Fork fork) {
    throw readOnly();
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    throw readOnly();
  }

  @Override
  public void erase(String owner) {
    throw readOnly();
  }

  @Override
  public int sweep(int limit) {
    throw readOnly();
  }

  @Override
  public Changes changes(SessionKey key, long version) {
    throw readOnly();
  }

  @Override
  public void ping() {}

  @Override
  public StoreTraits traits() {
    return new StoreTraits(Durability.POWER_LOSS, Set.of(Capability.SEALED_ITEMS));
  }
}
