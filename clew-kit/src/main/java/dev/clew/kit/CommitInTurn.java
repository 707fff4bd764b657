package dev.clew.kit;

import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.spi.Backend;

/** Writes a commit part by part, for backends without {@code ATOMIC_DOCUMENTS}. Stateless. */
public final class CommitInTurn {
  private CommitInTurn() {}

  /** Writes the history, then the time to live, then the document. */
  public static Receipt run(Backend backend, SessionKey key, Commit commit) {
    check(key, commit);
    Commit wanted = effective(commit);
    Receipt receipt = backend.commit(key, wanted.historyOnly());
    if (wanted.timeToLive().isPresent() && receipt.version() > 0) {
      SessionUpdate life = SessionUpdate.none().timeToLive(wanted.timeToLive().get());
      receipt = at(backend.update(key, life).version(), receipt);
    }
    if (wanted.document().isPresent()) {
      Commit.DocumentPut put = wanted.document().get();
      String json = put.json().apply(receipt);
      backend
          .documents()
          .put(key.owner(), put.name(), json, put.expectedVersion(), put.timeToLive());
    }
    return receipt;
  }

  private static Receipt at(long version, Receipt receipt) {
    return new Receipt(
        version,
        receipt.firstPosition(),
        receipt.lastPosition(),
        receipt.repeated(),
        receipt.existed());
  }

  /** An empty append changes nothing, so it sets no time to live. */
  static Commit effective(Commit commit) {
    boolean nothing = commit.step() instanceof Commit.Append append && append.drafts().isEmpty();
    if (!nothing || commit.timeToLive().isEmpty()) {
      return commit;
    }
    return commit.document().map(commit.historyOnly()::document).orElseGet(commit::historyOnly);
  }

  /**
   * Checks what a commit writes along with the history, before anything is written.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  static void check(SessionKey key, Commit commit) {
    if (commit.isHistoryOnly()) {
      return;
    }
    commit.timeToLive().ifPresent(SessionUpdate.none()::timeToLive);
    commit
        .document()
        .ifPresent(
            put -> {
              DocumentRules.checkName(key.owner(), put.name());
              put.timeToLive().ifPresent(life -> TimeToLive.check("a document", life));
            });
  }
}
