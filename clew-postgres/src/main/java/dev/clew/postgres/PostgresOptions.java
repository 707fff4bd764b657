package dev.clew.postgres;

import dev.clew.Opening;
import java.time.Duration;

/** How a store is opened; see {@link PostgresStore.Builder}. Immutable. */
record PostgresOptions(
    String where, Names names, Duration deadline, int poolSize, Opening opening) {}
