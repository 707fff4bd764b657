package dev.clew.adk;

/**
 * What happens to an event for a copy of a session that another invocation has written to since.
 */
public enum StaleCopies {
  /**
   * It is refused, and with it the run fails that would write it. The events which that run wrote
   * before stay, and so do the effects of its tools.
   */
  REFUSE,
  /** It is appended after what the others wrote, which the agent has not seen. */
  APPEND
}
