package dev.clew.memory;

import dev.clew.ItemLimits;
import dev.clew.SessionSettings;
import dev.clew.kit.BackendStore;
import dev.clew.kit.StoreSettings;
import dev.clew.kit.TimeToLive;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
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
  /** An empty store with the system's clock, no default limit, and sessions that never expire. */
  public MemoryStore() {
    this(builder());
  }

  private MemoryStore(Builder builder) {
    super(
        new MemoryBackend(builder.clock, builder.timeToLive),
        StoreSettings.of("the store memory:")
            .sessions(builder.settings)
            .limits(builder.limits)
            .clock(builder.clock)
            .readOnly(builder.readOnly));
  }

  /** For a store with settings of its own. */
  public static Builder builder() {
    return new Builder();
  }

  /** The settings of a store. Not thread-safe. */
  public static final class Builder {
    private Clock clock = Clock.systemUTC();
    private SessionSettings settings = SessionSettings.DEFAULT;
    private ItemLimits limits = ItemLimits.STORE;
    private Optional<Duration> timeToLive = Optional.empty();

    private boolean readOnly;

    private Builder() {}

    /** The clock of the store; it is never used for ordering. */
    public Builder clock(Clock value) {
      clock = Objects.requireNonNull(value, "clock");
      return this;
    }

    /** How sessions are read when the caller does not say. */
    public Builder settings(SessionSettings value) {
      settings = Objects.requireNonNull(value, "settings");
      return this;
    }

    /** How large an item may be; {@link ItemLimits#STORE} unless set. */
    public Builder limits(ItemLimits value) {
      limits = Objects.requireNonNull(value, "limits");
      return this;
    }

    /** Refuses writes. */
    Builder readOnly(boolean value) {
      readOnly = value;
      return this;
    }

    /** The time to live of a session after its history last changed; none by default. */
    public Builder timeToLive(Duration value) {
      timeToLive = Optional.of(TimeToLive.check("a session", value));
      return this;
    }

    /** Opens the store. */
    public MemoryStore build() {
      return new MemoryStore(this);
    }
  }
}
