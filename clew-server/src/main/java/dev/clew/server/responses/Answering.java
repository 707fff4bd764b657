package dev.clew.server.responses;

import dev.clew.server.ServerModels;
import dev.clew.server.describing.Titles;
import dev.clew.server.runs.EventLogs;
import dev.clew.server.runs.UsageBook;
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
