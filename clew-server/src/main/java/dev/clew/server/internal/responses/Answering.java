package dev.clew.server.internal.responses;

import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.settings.ServerModels;
import java.time.Clock;

/** What every run needs. Immutable; all of it is thread-safe. */
record Answering(
    ServerModels models,
    ModelContext context,
    Compacting compacting,
    ResponseRecords records,
    EventLogs logs,
    UsageBook usage,
    Titles titles,
    Clock clock) {
  /** The time in seconds, as the wire has it. */
  long now() {
    return clock.instant().getEpochSecond();
  }
}
