package dev.clew.decorate;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.BackendStore;
import dev.clew.spi.Backend;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A decorator whose calls return within a deadline, whether the store answers or not. Thread-safe.
 *
 * <p>A read that takes too long fails with {@link ClewException.StoreUnavailable}, a write with
 * {@link ClewException.OutcomeUnknown}, because it may still take effect. {@link #ping} has the
 * deadline too, which makes it a health check that answers in time. {@code erase} and {@code check}
 * process everything and have no deadline.
 *
 * <p>Each call runs on another thread, which costs some microseconds. Most stores have deadlines of
 * their own; this is for those that have none, or for a shorter one.
 */
public final class DeadlineStore extends BackendStore {
  /** Decorates a store; each call has this much time. */
  public DeadlineStore(SessionStore delegate, Duration time) {
    super(delegate, backend -> new Bounded(backend, time));
  }

  private static final class Bounded extends EachCallBackend {
    private final Deadline deadline;

    Bounded(Backend delegate, Duration time) {
      super(delegate);
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException("a call needs some time, not " + time);
      }
      this.deadline = new Deadline(time);
    }

    @Override
    protected <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
      return kind == Kind.READ ? deadline.read(name, call) : deadline.write(name, call);
    }

    @Override
    public void erase(String owner) {
      delegate().erase(owner);
    }

    @Override
    public void close() {
      super.close();
      deadline.close();
    }
  }
}
