/**
 * Turns: {@link dev.clew.server.internal.runs.TurnEngine} runs them for every API. Their events are
 * kept here, so that readers can resume at any server, and so are usage and titles.
 *
 * <p>A new API reads and checks its request, writes a subclass of {@link
 * dev.clew.server.internal.runs.Turn} that publishes its events in an {@link
 * dev.clew.server.internal.runs.EventLog}, starts it with {@code TurnEngine.start}, which returns
 * at once, and replies with {@code Turn.result} or the events of the log. Limits, stopping,
 * closing, threads and measuring belong to the engine. A turn that changes its session before it
 * reads it does so at the start of {@code answer}, when it has locked the session.
 */
@NullMarked
package dev.clew.server.internal.runs;

import org.jspecify.annotations.NullMarked;
