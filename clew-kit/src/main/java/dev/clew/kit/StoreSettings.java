package dev.clew.kit;

import dev.clew.ItemLimits;
import dev.clew.SessionSettings;
import java.time.Clock;

/**
 * Settings of a {@link BackendStore}. Immutable.
 *
 * @param name the name of the store in errors
 * @param sessions how sessions are read by default
 * @param limits how large an item may be
 * @param readOnly whether writes are refused
 * @param clock the clock of leases that are kept as documents
 */
public record StoreSettings(
    String name, SessionSettings sessions, ItemLimits limits, boolean readOnly, Clock clock) {
  /** The defaults. */
  public static StoreSettings of(String name) {
    return new StoreSettings(
        name, SessionSettings.DEFAULT, ItemLimits.STORE, false, Clock.systemUTC());
  }

  /** The same with other session settings. */
  public StoreSettings sessions(SessionSettings value) {
    return new StoreSettings(name, value, limits, readOnly, clock);
  }

  /** The same with other limits. */
  public StoreSettings limits(ItemLimits value) {
    return new StoreSettings(name, sessions, value, readOnly, clock);
  }

  /** The same, refusing writes or not. */
  public StoreSettings readOnly(boolean value) {
    return new StoreSettings(name, sessions, limits, value, clock);
  }

  /** The same with another clock. */
  public StoreSettings clock(Clock value) {
    return new StoreSettings(name, sessions, limits, readOnly, value);
  }
}
