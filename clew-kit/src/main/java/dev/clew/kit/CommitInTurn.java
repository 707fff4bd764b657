package dev.clew.kit;

import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.spi.Backend;

/** Writes a commit part by part, for backends that cannot write all of it at once. Stateless. */
public final class CommitInTurn {
  private CommitInTurn() {}

  /** The history, then the time to live, then the document. */
  public static Receipt run(Backend backend, SessionKey key, Commit commit) {
    Receipt receipt = backend.commit(key, commit.historyOnly());
    commit
        .timeToLive()
        .ifPresent(value -> backend.update(key, SessionUpdate.none().timeToLive(value)));
    commit
        .document()
        .ifPresent(
            put ->
                backend
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
