package dev.clew.sqlite;

import dev.clew.tck.StoreOptions;

/** Passes the contract's wishes on to a store. Stateless. */
final class Builders {
  private Builders() {}

  static SqliteStore.Builder with(SqliteStore.Builder builder, StoreOptions options) {
    builder.clock(options.clock()).settings(options.settings()).limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder;
  }
}
