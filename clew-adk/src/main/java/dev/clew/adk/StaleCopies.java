package dev.clew.adk;

/** What happens to an event for a copy of a session that others have written to since. */
public enum StaleCopies {
  /** It is refused: the agent has not seen what the others wrote. */
  REFUSE,
  /** It is appended after what the others wrote. */
  APPEND
}
