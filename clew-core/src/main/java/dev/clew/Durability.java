package dev.clew;

/** What a store keeps when it has acknowledged a write. */
public enum Durability {
  /** Nothing outlives the process. */
  VOLATILE,
  /** Outlives the process, even killed; power loss may take the last writes. */
  PROCESS_CRASH,
  /** Outlives power loss. */
  POWER_LOSS,
  /** Whatever the server behind it is set to. */
  AS_THE_SERVER
}
