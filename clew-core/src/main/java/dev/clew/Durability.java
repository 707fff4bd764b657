package dev.clew;

/** What an acknowledged write survives. */
public enum Durability {
  /** Nothing survives the process. */
  VOLATILE,
  /** Survives the process, even if it is killed; a power loss may lose the last writes. */
  PROCESS_CRASH,
  /** Survives a power loss. */
  POWER_LOSS,
  /** Depends on the settings of the database server. */
  AS_THE_SERVER
}
