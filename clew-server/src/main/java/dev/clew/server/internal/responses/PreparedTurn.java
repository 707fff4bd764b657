package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Lease;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A turn that is being taken: what came before, where it will be written, and the right to write
 * there. Immutable, and closed when the turn is over.
 *
 * @param home where it is written; nowhere if nothing is kept
 * @param history what came before, as it is stored
 * @param input the new items
 * @param lease keeps others out meanwhile; none where nobody else can come
 */
record PreparedTurn(
    Optional<TurnTarget> home, List<Item> history, List<Item> input, Optional<Lease> lease)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PreparedTurn.class);

  Optional<Commit.Fence> fence() {
    return lease.map(Lease::fence);
  }

  @Override
  public void close() {
    try {
      lease.ifPresent(Lease::close);
    } catch (ClewException e) {
      // All of the turn is stored; the lease ends by itself.
      LOG.warn("could not give back the lease of a turn", e);
    }
  }
}
