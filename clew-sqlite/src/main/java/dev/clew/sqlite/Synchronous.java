package dev.clew.sqlite;

/** When a commit counts as durable. */
public enum Synchronous {
  /** Synced before it is acknowledged: survives power loss. The default. */
  FULL,
  /** Survives a killed process; power loss may take the last commits, never older ones. */
  NORMAL
}
