package dev.clew.internal;

import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;

/** Writes a commit part by part, for stores that cannot write all of it at once. Stateless. */
public final class CommitInTurn {
  private CommitInTurn() {}

  /** The history, then the time to live, then the document. */
  public static Receipt run(SessionStore store, SessionKey key, Commit commit) {
    Receipt receipt = store.commit(key, commit.historyOnly());
    commit
        .timeToLive()
        .ifPresent(value -> store.update(key, SessionUpdate.none().timeToLive(value)));
    commit
        .document()
        .ifPresent(
            put ->
                store
                    .documents()
                    .put(
                        key.owner(),
                        put.name(),
                        put.json().apply(receipt),
                        put.expectedVersion(),
                        put.timeToLive()));
    return receipt;
  }
}
