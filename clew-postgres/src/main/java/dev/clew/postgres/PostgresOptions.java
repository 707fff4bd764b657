package dev.clew.postgres;

import dev.clew.ItemLimits;
import dev.clew.Opening;
import dev.clew.SessionSettings;
import java.time.Duration;

/** How a store is opened; see {@link PostgresStore.Builder}. Immutable. */
record PostgresOptions(
    String where,
    Names names,
    SessionSettings settings,
    ItemLimits limits,
    Duration deadline,
    int poolSize,
    Opening opening) {}
