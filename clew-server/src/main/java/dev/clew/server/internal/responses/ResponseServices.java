package dev.clew.server.internal.responses;

import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.settings.ServerModels;
import java.time.Clock;

/** What every response needs. Immutable; its parts are thread-safe. */
record ResponseServices(
    ServerModels models,
    ModelContext context,
    Compacting compacting,
    ResponseRecords records,
    IdempotencyKeys keys,
    EventLogs logs,
    UsageBook usage,
    Titles titles,
    Clock clock) {
  /** The time in seconds. */
  long now() {
    return clock.instant().getEpochSecond();
  }
}
