package dev.clew.memory;

import dev.clew.kit.BackendStore;
import dev.clew.kit.StoreBuilder;
import dev.clew.kit.StoreSettings;
import java.time.Clock;
import java.util.Optional;

/**
 * A store in this process's memory: it passes the whole contract, and nothing survives it.
 * Thread-safe; every operation takes effect at one instant between its call and its return, except
 * searches, checks and erasures, which process the sessions one by one.
 *
 * <pre>{@code
 * try (SessionStore store = new MemoryStore()) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 */
public final class MemoryStore extends BackendStore {
  private static final String NAME = "the store memory:";

  /** An empty store with the system's clock, no default limit, and sessions that never expire. */
  public MemoryStore() {
    this(new MemoryBackend(Clock.systemUTC(), Optional.empty()), StoreSettings.of(NAME));
  }

  private MemoryStore(MemoryBackend backend, StoreSettings settings) {
    super(backend, settings);
  }

  /** For a store with settings of its own. */
  public static Builder builder() {
    return new Builder();
  }

  /** The settings of a store. Not thread-safe. */
  public static final class Builder extends StoreBuilder<Builder> {
    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /** Opens the store. */
    public MemoryStore build() {
      Clock time = clock.orElse(Clock.systemUTC());
      return new MemoryStore(new MemoryBackend(time, timeToLive), storeSettings(NAME));
    }
  }
}
