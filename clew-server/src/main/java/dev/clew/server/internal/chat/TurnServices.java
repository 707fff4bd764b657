package dev.clew.server.internal.chat;

import dev.clew.Session;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Compactor;
import dev.clew.agent.Runner;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.OwnersModel;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.TurnSettings;

/**
 * What every turn of a server uses. Immutable; its parts are thread-safe.
 *
 * @param store where the sessions are
 * @param models what answers, to whom
 * @param chat how it answers
 * @param turns how turns are taken
 * @param logs where turns tell what they do
 * @param usage where it is noted what they use
 * @param titles who is told that something was said
 * @param marks which turn is under way
 * @param pending runs that wait for a decision
 */
record TurnServices(
    SessionStore store,
    OwnersModel.Models models,
    ChatSettings chat,
    TurnSettings turns,
    EventLogs logs,
    UsageBook usage,
    Titles titles,
    TurnMarks marks,
    PendingRuns pending) {

  /** Who asks the model that a session has chosen. */
  Runner runner(String owner, ServerMetadata session) {
    return Runner.with(models.of(owner, session.model().orElse("")));
  }

  /** The session of a turn, made shorter behind the turn if it has grown over the limit. */
  Session limited(StoredSession session) {
    long most = chat.maxMessages();
    if (most == 0 || chat.atLimit() == ChatSettings.AtLimit.REFUSE) {
      return session;
    }
    boolean drop = chat.atLimit() == ChatSettings.AtLimit.DROP_OLDEST;
    CompactionSession.Builder builder =
        CompactionSession.builder(
                session,
                drop
                    ? Compactor.keepNewest((int) most)
                    : models.of(session.key().owner()).summarising())
            // The store keeps the count, so nothing is read to decide.
            .trigger(context -> session.info().map(SessionInfo::itemCount).orElse(0L) > most);
    return (drop ? builder.dropOriginals() : builder).build();
  }
}
