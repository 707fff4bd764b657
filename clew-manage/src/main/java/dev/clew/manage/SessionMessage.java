package dev.clew.manage;

import dev.clew.Role;
import java.time.Instant;

/**
 * One message of a {@link ChatSession}. Immutable.
 *
 * @param role who it is from
 * @param content its text
 * @param timestamp when it was added
 */
public record SessionMessage(Role role, String content, Instant timestamp) {}
