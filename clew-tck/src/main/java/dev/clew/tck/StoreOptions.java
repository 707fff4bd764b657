package dev.clew.tck;

import dev.clew.ItemLimits;
import dev.clew.SessionSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * How the contract wants a store to be opened. Immutable.
 *
 * @param clock where the store takes every time it writes or compares from
 * @param settings the settings of the sessions of the store
 * @param limits what the store accepts when writing
 * @param timeToLive how long sessions live after their last update; none for ever
 */
public record StoreOptions(
    Clock clock, SessionSettings settings, ItemLimits limits, Optional<Duration> timeToLive) {

  /** No default limit, the usual item limits, no expiry. */
  public static StoreOptions at(Clock clock) {
    return new StoreOptions(clock, SessionSettings.DEFAULT, ItemLimits.STORE, Optional.empty());
  }

  /** With other settings. */
  public StoreOptions with(SessionSettings value) {
    return new StoreOptions(clock, value, limits, timeToLive);
  }

  /** With other item limits. */
  public StoreOptions with(ItemLimits value) {
    return new StoreOptions(clock, settings, value, timeToLive);
  }

  /** With a default time to live. */
  public StoreOptions with(Duration value) {
    return new StoreOptions(clock, settings, limits, Optional.of(value));
  }
}
