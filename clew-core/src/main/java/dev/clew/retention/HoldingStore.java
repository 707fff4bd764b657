package dev.clew.retention;

import dev.clew.Company;
import dev.clew.Entry;
import dev.clew.HistoryTransaction;
import dev.clew.HistoryTransaction.Append;
import dev.clew.HistoryTransaction.ReplacePrefix;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.decorate.ForwardingStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A store that removes nothing which is on legal hold: not by deleting, clearing, erasing, popping,
 * editing or dropping. Thread-safe. Appending costs nothing more, removing two reads.
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
    if (removes(transaction.step())) {
      holds.requireFree(key);
    }
    return super.apply(key, transaction);
  }

  @Override
  public Receipt apply(SessionKey key, HistoryTransaction transaction, Company company) {
    if (removes(transaction.step())) {
      holds.requireFree(key);
    }
    return delegate().apply(key, transaction, company);
  }

  @Override
  public CompletableFuture<Receipt> applyLater(SessionKey key, HistoryTransaction transaction) {
    if (removes(transaction.step())) {
      holds.requireFree(key);
    }
    return delegate().applyLater(key, transaction);
  }

  @Override
  public CompletableFuture<Receipt> applyLater(
      SessionKey key, HistoryTransaction transaction, Company company) {
    if (removes(transaction.step())) {
      holds.requireFree(key);
    }
    return delegate().applyLater(key, transaction, company);
  }

  /** What removes asks for a hold first. */
  @Override
  public boolean appliesLater() {
    return delegate().appliesLater();
  }

  private static boolean removes(HistoryTransaction.Step step) {
    return !(step instanceof Append)
        && !(step instanceof ReplacePrefix prefix && !prefix.drop()); // it goes to the archive
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
