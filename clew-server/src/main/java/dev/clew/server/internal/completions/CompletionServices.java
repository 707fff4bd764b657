package dev.clew.server.internal.completions;

import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.settings.ServerModels;
import java.time.Clock;

/** What every completion needs. Immutable; its parts are thread-safe. */
record CompletionServices(
    ServerModels models,
    Recorder recorder,
    StoredCompletions stored,
    EventLogs logs,
    UsageBook usage,
    Titles titles,
    Clock clock) {
  long now() {
    return clock.instant().getEpochSecond();
  }
}
