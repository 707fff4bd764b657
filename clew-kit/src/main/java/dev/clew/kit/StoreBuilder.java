package dev.clew.kit;

import dev.clew.ItemLimits;
import dev.clew.Opening;
import dev.clew.SessionSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings that every store has; each has a default. Not thread-safe.
 *
 * @param <B> the builder of the store
 */
public abstract class StoreBuilder<B extends StoreBuilder<B>> {
  private SessionSettings settings = SessionSettings.DEFAULT;
  private ItemLimits limits = ItemLimits.STORE;

  /** The time to live of sessions that have none of their own. */
  protected Optional<Duration> timeToLive = Optional.empty();

  /** The clock that was set. */
  protected Optional<Clock> clock = Optional.empty();

  /** What opening the store may do. */
  protected Opening opening = Opening.CREATE;

  /** This builder. */
  protected abstract B self();

  /** How sessions are read unless a call says otherwise; everything. */
  public final B settings(SessionSettings value) {
    settings = value;
    return self();
  }

  /** How large an item may be; 16 MiB, 200 levels. */
  public final B limits(ItemLimits value) {
    limits = value;
    return self();
  }

  /** How long a session lives after its last update; forever. */
  public final B timeToLive(Duration value) {
    timeToLive = Optional.of(TimeToLive.check("a session", value));
    return self();
  }

  /** The clock of the store; the system's, or that of the server. */
  public final B clock(Clock value) {
    clock = Optional.of(value);
    return self();
  }

  /** What opening the store may do; {@link Opening#CREATE}. */
  public final B opening(Opening value) {
    opening = value;
    return self();
  }

  /** Sets what every store URL may say: {@code limit} and {@code ttl}. */
  public final B parameters(StoreUrl url) {
    url.integer("limit", 1, Integer.MAX_VALUE)
        .ifPresent(limit -> settings(SessionSettings.limit(limit)));
    url.duration("ttl").ifPresent(this::timeToLive);
    return self();
  }

  /** The settings of a store with this name in errors. */
  protected final StoreSettings storeSettings(String name) {
    return StoreSettings.of(name)
        .sessions(settings)
        .limits(limits)
        .readOnly(opening.isReadOnly())
        .clock(clock.orElse(Clock.systemUTC()));
  }
}
