package dev.clew.server.internal.responses;

import dev.clew.agent.Compactor;
import dev.clew.agent.Model;
import dev.clew.server.internal.hosted.Approvals;
import dev.clew.server.internal.hosted.HostedServers;
import dev.clew.server.internal.runs.CompactionSeal;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.settings.ServerModels;
import dev.clew.server.settings.ServerSettings;
import java.time.Clock;

/** What every response needs. Immutable; its parts are thread-safe. */
record ResponseServices(
    ServerModels models,
    ModelContext context,
    ResponseRecords records,
    IdempotencyKeys keys,
    EventLogs logs,
    UsageBook usage,
    Titles titles,
    HostedServers hosted,
    Approvals approvals,
    Clock clock) {
  static ResponseServices of(
      ServerSettings settings,
      CompactionSeal seal,
      EventLogs logs,
      UsageBook usage,
      Titles titles,
      AuditLog audit) {
    Model writer = settings.models().first();
    return new ResponseServices(
        settings.models(),
        new ModelContext(
            seal,
            instructions -> Compactor.summary(writer, instructions),
            settings.turns().contextTokens()),
        new ResponseRecords(
            settings.store(), settings.turns().responsesKept(), settings.models()::choice),
        new IdempotencyKeys(settings.store(), settings.turns().leaseLife()),
        logs,
        usage,
        titles,
        new HostedServers(settings.mcp(), audit),
        new Approvals(settings.store().documents(), settings.turns().responsesKept()),
        settings.clock());
  }

  long now() {
    return clock.instant().getEpochSecond();
  }
}
