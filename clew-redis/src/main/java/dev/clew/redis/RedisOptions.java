package dev.clew.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a store is opened; see {@link RedisStore.Builder}. Immutable. */
record RedisOptions(
    String where, String prefix, @Nullable Long defaultLife, Duration deadline, boolean readOnly) {}
