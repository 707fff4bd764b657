package dev.clew.retention;

import dev.clew.ClewException;
import dev.clew.Company;
import dev.clew.Copying;
import dev.clew.Entry;
import dev.clew.HistoryTransaction;
import dev.clew.HistoryTransaction.Append;
import dev.clew.HistoryTransaction.ReplacePrefix;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.decorate.ForwardingStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A store that removes nothing which is on legal hold: not by deleting, clearing, erasing, popping,
 * editing, dropping or expiring. Thread-safe. Appending to a session that exists costs nothing
 * more, making one a read, removing two.
 *
 * <p>What is on hold has a time to live that does not end, see {@link LegalHolds}. So whatever
 * makes a session or sets its time to live asks for a hold afterwards: a hold is written before the
 * sessions are gone through, so one of the two sees the other.
 *
 * <p>Tried and found wanting: asking inside the transaction, which every store would have to know
 * how to do. A removal that began before a hold was placed may still end after it.
 */
public final class HoldingStore extends ForwardingStore {
  private final LegalHolds holds;

  /** Over a store that is opened with its keys, if it has any. */
  public HoldingStore(SessionStore delegate) {
    super(delegate);
    this.holds = new LegalHolds(delegate);
  }

  @Override
  public Receipt apply(SessionKey key, HistoryTransaction transaction) {
    checkRemoval(key, transaction);
    Receipt receipt = super.apply(key, transaction);
    return mayMake(transaction, receipt) ? keep(key, receipt) : receipt;
  }

  @Override
  public Receipt apply(SessionKey key, HistoryTransaction transaction, Company company) {
    checkRemoval(key, transaction);
    Receipt receipt = delegate().apply(key, transaction, company);
    return company.timeToLive().isPresent() || mayMake(transaction, receipt)
        ? keep(key, receipt)
        : receipt;
  }

  @Override
  public CompletableFuture<Receipt> applyLater(SessionKey key, HistoryTransaction transaction) {
    checkRemoval(key, transaction);
    return delegate()
        .applyLater(key, transaction)
        .thenCompose(receipt -> keepLater(key, receipt, mayMake(transaction, receipt)));
  }

  @Override
  public CompletableFuture<Receipt> applyLater(
      SessionKey key, HistoryTransaction transaction, Company company) {
    checkRemoval(key, transaction);
    boolean lives = company.timeToLive().isPresent();
    return delegate()
        .applyLater(key, transaction, company)
        .thenCompose(receipt -> keepLater(key, receipt, lives || mayMake(transaction, receipt)));
  }

  /** What removes asks for a hold first. */
  @Override
  public boolean appliesLater() {
    return delegate().appliesLater();
  }

  private void checkRemoval(SessionKey key, HistoryTransaction transaction) {
    HistoryTransaction.Step step = transaction.step();
    boolean archives = step instanceof ReplacePrefix prefix && !prefix.drop();
    if (!(step instanceof Append) && !archives) {
      holds.requireFree(key);
    }
  }

  private static boolean mayMake(HistoryTransaction transaction, Receipt receipt) {
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

  /** Not on the thread of the store that completes the future, which the reads would wait for. */
  private CompletableFuture<Receipt> keepLater(SessionKey key, Receipt receipt, boolean asks) {
    return asks
        ? CompletableFuture.supplyAsync(() -> keep(key, receipt))
        : CompletableFuture.completedFuture(receipt);
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
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return holds.keep(super.fork(source, upTo, target));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, Copying copying) {
    return holds.keep(super.fork(source, upTo, target, copying));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    holds.requireFree(key);
    return super.removeLast(key);
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
