package dev.clew.tck;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.spi.Backend;
import dev.clew.spi.Compression;
import dev.clew.spi.Fork;
import dev.clew.spi.LastRemoval;
import dev.clew.spi.TextIndex;
import java.util.Optional;

/**
 * A store that compresses a session each time it was written to, so that whatever is read, changed,
 * searched or removed next is compressed. As thread-safe as the store it wraps.
 *
 * <p>Rules on it show that nobody can tell a compressed session from another.
 */
final class CompressedStore {
  private CompressedStore() {}

  /** Over a store that has {@link dev.clew.Capability#COMPRESSION}. */
  static SessionStore over(SessionStore store) {
    return BackendStore.decorate(store, CompressingBackend::new);
  }

  private static final class CompressingBackend extends ForwardingBackend implements LastRemoval {
    private final Compression compression;
    private final LastRemoval removal;

    CompressingBackend(Backend delegate) {
      super(delegate);
      compression = delegate.feature(Compression.class).orElseThrow();
      removal = delegate.feature(LastRemoval.class).orElseThrow();
    }

    @Override
    public <F> Optional<F> feature(Class<F> feature) {
      return feature == TextIndex.class ? delegate().feature(feature) : super.feature(feature);
    }

    private <T> T compressed(SessionKey key, T result) {
      compression.compress(key);
      return result;
    }

    @Override
    public Receipt commit(SessionKey key, Commit commit) {
      return compressed(key, super.commit(key, commit));
    }

    @Override
    public Optional<Entry> removeLast(SessionKey key) {
      return compressed(key, removal.removeLast(key));
    }

    @Override
    public SessionInfo fork(Fork fork) {
      return compressed(fork.target(), super.fork(fork));
    }

    @Override
    public SessionInfo update(SessionKey key, SessionUpdate update) {
      return compressed(key, super.update(key, update));
    }
  }
}
