package dev.clew.agent;

import dev.clew.Session;

/**
 * A session whose history the provider keeps and manages, such as an OpenAI conversation.
 * Implementations are thread-safe.
 *
 * <p>Such a history is not rewritten from here: a {@code CompactionSession} refuses to wrap one.
 */
public interface ServerManagedSession extends Session {}
