/**
 * Agents and the loop that runs them over a {@link dev.clew.Session}: it loads the history, asks
 * the model, calls tools, asks people for approval, and stores every step. Start at {@link
 * dev.clew.agent.Runner}. Long histories are windowed by {@link dev.clew.agent.TokenWindow} and
 * compacted by {@link dev.clew.agent.CompactionSession}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.agent;
