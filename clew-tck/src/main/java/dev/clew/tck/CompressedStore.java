package dev.clew.tck;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.spi.ForkTransform;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.decorate.ForwardingStore;
import java.util.Optional;

/**
 * A store that compresses a session each time it was written to, so that whatever is read, changed,
 * searched or removed next is compressed. As thread-safe as the store behind it.
 *
 * <p>Rules on it show that nobody can tell a compressed session from another.
 */
final class CompressedStore extends ForwardingStore {
  /** Over a store that has {@link dev.clew.Capability#COMPRESSION}. */
  CompressedStore(SessionStore delegate) {
    super(delegate);
  }

  private <T> T compressed(SessionKey key, T result) {
    delegate().compression().compress(key);
    return result;
  }

  @Override
  public Receipt commit(SessionKey key, Commit transaction) {
    return compressed(key, super.commit(key, transaction));
  }

  @Override
  public Optional<Entry> removeLast(SessionKey key) {
    return compressed(key, super.removeLast(key));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target) {
    return compressed(target, super.fork(source, upTo, target));
  }

  @Override
  public SessionInfo fork(SessionKey source, long upTo, SessionKey target, ForkTransform copying) {
    return compressed(target, super.fork(source, upTo, target, copying));
  }

  @Override
  public SessionInfo update(SessionKey key, SessionUpdate update) {
    return compressed(key, super.update(key, update));
  }
}
