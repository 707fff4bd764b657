package dev.clew.agent;

/** From what a history is compacted. */
public enum CompactionMode {
  /** From the provider's response if it knows the whole history, and from the items otherwise. */
  AUTO,
  /** From the provider's response, which must know the whole history. */
  PREVIOUS_RESPONSE_ID,
  /** From the items of the session. */
  INPUT
}
