/**
 * Sessions and memory of Google ADK in a store.
 *
 * <pre>{@code
 * BaseSessionService sessions = ClewSessionService.of(Stores.open("sqlite:chat.db"));
 * }</pre>
 */
@NullMarked
package dev.clew.adk;

import org.jspecify.annotations.NullMarked;
