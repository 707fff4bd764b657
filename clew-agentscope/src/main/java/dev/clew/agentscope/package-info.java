/**
 * States of AgentScope's agents in a store, with their messages as the items of sessions.
 *
 * <pre>{@code
 * AgentStateStore states = ClewAgentStateStore.of(Stores.open("sqlite:chat.db"));
 * }</pre>
 */
@NullMarked
package dev.clew.agentscope;

import org.jspecify.annotations.NullMarked;
