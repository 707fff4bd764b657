package dev.clew.imports;

import dev.clew.SessionKey;

/** Is told how an {@link Import} goes on, by one thread. */
public interface ImportListener {
  /** Hears nothing. */
  ImportListener NONE = new ImportListener() {};

  /** The source is looked through before anything is written. */
  default void looking(long read, long size, String units) {}

  /** So much will be written. */
  default void planned(long sessions, long items) {}

  /** A session is done with. */
  default void finished(SessionKey key, ImportReport.Outcome outcome, long items, String message) {}
}
