package dev.clew.redis;

import dev.clew.ItemLimits;
import dev.clew.SessionSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a store is opened; see {@link RedisStore.Builder}. Immutable. */
record RedisOptions(
    String where,
    String prefix,
    SessionSettings settings,
    ItemLimits limits,
    @Nullable Long defaultLife,
    Duration deadline,
    boolean readOnly) {}
