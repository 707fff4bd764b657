/**
 * Turns: {@link dev.clew.server.internal.runs.TurnEngine} runs them for every API, and what they
 * say and use is kept here: the events of turns, so that a reader can come back at any server, the
 * usage of each owner, the titles of sessions.
 *
 * <p>A new wire does four things. It reads its request and refuses what is wrong with it. It writes
 * a subclass of {@link dev.clew.server.internal.runs.Turn} that says how its turn is answered,
 * committed and ended, and publishes its events in an {@link
 * dev.clew.server.internal.runs.EventLog}. It starts that turn by {@code TurnEngine.start}, which
 * returns at once. And it replies: with {@code Turn.result} when the turn is over, or with the
 * events of the log as they come. The limit, stopping, closing, threads and measuring are the
 * engine's; a wire has none of its own. A turn that changes its session before it reads it does so
 * at the beginning of its {@code answer}, when it holds the session, and never while it reads.
 */
@NullMarked
package dev.clew.server.internal.runs;

import org.jspecify.annotations.NullMarked;
