package dev.clew.retention;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.Append;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Entry;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.spi.AsyncCommits;
import dev.clew.spi.Backend;
import dev.clew.spi.Fork;
import dev.clew.spi.ItemLookup;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.RecentItems;
import dev.clew.spi.Snapshots;
import dev.clew.spi.TextIndex;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A decorator that keeps what is on legal hold from being deleted, cleared, erased, popped, edited,
 * dropped or expired. Thread-safe. Appending to an existing session costs nothing extra, creating
 * one a read, removing two reads.
 *
 * <p>What is on hold has an endless time to live, see {@link LegalHolds}. So whatever creates a
 * session or sets its time to live checks for a hold afterwards: a hold is written before its
 * sessions are updated, so one of the two sees the other.
 *
 * <p>Rejected: checking inside the transaction, which every store would have to implement. A
 * removal that began before a hold was placed may still end after it.
 */
public final class HoldingStore extends BackendStore {
  /** Over a store that is opened with its keys, if it has any. */
  public HoldingStore(SessionStore delegate) {
    super(delegate, backend -> new HoldingBackend(backend, new LegalHolds(delegate)));
  }

  private static final class HoldingBackend extends ForwardingBackend implements LastRemoval {
    /** What neither removes nor makes anything. */
    private static final Set<Class<?>> READS =
        Set.of(RecentItems.class, ItemLookup.class, TextIndex.class, Snapshots.class);

    private final LegalHolds holds;
    private final LastRemoval removal;

    HoldingBackend(Backend delegate, LegalHolds holds) {
      super(delegate);
      this.holds = holds;
      this.removal = delegate.feature(LastRemoval.class).orElseThrow();
    }

    @Override
    public Receipt commit(SessionKey key, Commit commit) {
      if (removes(commit)) {
        holds.requireFree(key);
      }
      Receipt receipt = super.commit(key, commit);
      return mayNeedHold(commit, receipt) ? keep(key, receipt) : receipt;
    }

    @Override
    public <F> Optional<F> feature(Class<F> feature) {
      return feature == AsyncCommits.class
          ? delegate()
              .feature(AsyncCommits.class)
              .map(async -> feature.cast((AsyncCommits) (key, c) -> commitAsync(async, key, c)))
          : READS.contains(feature) ? delegate().feature(feature) : super.feature(feature);
    }

    /**
     * What needs reads of its own is not done on the caller's thread, nor on one of the store's.
     */
    private CompletableFuture<Receipt> commitAsync(
        AsyncCommits async, SessionKey key, Commit commit) {
      if (removes(commit)) {
        return CompletableFuture.supplyAsync(() -> commit(key, commit));
      }
      return async
          .commitAsync(key, commit)
          .thenCompose(
              receipt ->
                  mayNeedHold(commit, receipt)
                      ? CompletableFuture.supplyAsync(() -> keep(key, receipt))
                      : CompletableFuture.completedFuture(receipt));
    }

    private static boolean removes(Commit commit) {
      Commit.Step step = commit.step();
      boolean compacts = step instanceof ReplacePrefix prefix && !prefix.drop();
      return !(step instanceof Append) && !compacts;
    }

    private static boolean mayNeedHold(Commit commit, Receipt receipt) {
      return commit.timeToLive().isPresent() || mayMake(commit, receipt);
    }

    private static boolean mayMake(Commit transaction, Receipt receipt) {
      return transaction.step() instanceof Append
          && !transaction.expectsExisting()
          && !receipt.existed();
    }

    private Receipt keep(SessionKey key, Receipt receipt) {
      try {
        return holds
            .keep(key)
            .map(
                info ->
                    new Receipt(
                        Math.max(info.version(), receipt.version()),
                        receipt.firstPosition(),
                        receipt.lastPosition(),
                        receipt.repeated(),
                        receipt.existed()))
            .orElse(receipt);
      } catch (ClewException.StoreUnavailable e) {
        throw new ClewException.OutcomeUnknown(
            "session "
                + key
                + " was written, but whether it is on legal hold could not be read; repeat it with"
                + " the same operation id",
            e);
      }
    }

    /**
     * Changes a session's description. On hold, a time to live is refused; a session that is new or
     * brought from elsewhere comes without its own.
     */
    @Override
    public SessionInfo update(SessionKey key, SessionUpdate update) {
      SessionUpdate kept = update;
      if (update.timeToLive().filter(LegalHolds::ends).isPresent() && holds.on(key).isPresent()) {
        if (update.times().isEmpty() && delegate().info(key).isPresent()) {
          holds.requireFreeToExpire(key);
        }
        kept = update.timeToLive(LegalHolds.FOR_EVER);
      }
      return holds.keep(super.update(key, kept));
    }

    @Override
    public SessionInfo fork(Fork fork) {
      return holds.keep(super.fork(fork));
    }

    @Override
    public Optional<Entry> removeLast(SessionKey key) {
      holds.requireFree(key);
      return removal.removeLast(key);
    }

    @Override
    public boolean delete(SessionKey key) {
      holds.requireFree(key);
      return super.delete(key);
    }

    @Override
    public void erase(String owner) {
      holds.requireFree(owner);
      super.erase(owner);
    }
  }
}
