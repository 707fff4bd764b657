package dev.clew.tck;

import dev.clew.Commit;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.spi.Backend;
import dev.clew.spi.RecentItems;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that counts what is written to it. Thread-safe. */
final class CountedWrites extends BackendStore {
  private final Counts counts;

  /** What was written so far. */
  private static final class Counts {
    final AtomicInteger appended = new AtomicInteger();
    final AtomicInteger replaced = new AtomicInteger();
  }

  CountedWrites(SessionStore delegate) {
    this(delegate, new Counts());
  }

  private CountedWrites(SessionStore delegate, Counts counts) {
    super(delegate, backend -> new CountingBackend(backend, counts));
    this.counts = counts;
  }

  /** How many items were appended. */
  int appended() {
    return counts.appended.get();
  }

  /** How many commits did anything else than append. */
  int replaced() {
    return counts.replaced.get();
  }

  private static final class CountingBackend extends ForwardingBackend {
    private final Counts counts;

    CountingBackend(Backend delegate, Counts counts) {
      super(delegate);
      this.counts = counts;
    }

    @Override
    public Receipt commit(SessionKey key, Commit commit) {
      if (commit.step() instanceof Commit.Append append) {
        counts.appended.addAndGet(append.drafts().size());
      } else {
        counts.replaced.incrementAndGet();
      }
      return super.commit(key, commit);
    }

    /** Counting changes nothing of what is read. */
    @Override
    public <F> Optional<F> feature(Class<F> feature) {
      return feature == RecentItems.class ? delegate().feature(feature) : super.feature(feature);
    }
  }
}
