package dev.clew.imports;

import dev.clew.SessionKey;

/** Receives the progress of an {@link Import}, on one thread. */
public interface ImportListener {
  /** Does nothing. */
  ImportListener NONE = new ImportListener() {};

  /** The source is read before anything is written. */
  default void looking(long read, long size, String units) {}

  /** So much will be written. */
  default void planned(long sessions, long items) {}

  /** A session is done with. */
  default void finished(SessionKey key, ImportReport.Outcome outcome, long items, String message) {}
}
