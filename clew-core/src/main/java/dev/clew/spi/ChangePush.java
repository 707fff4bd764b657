package dev.clew.spi;

import dev.clew.SessionKey;
import java.util.Set;

/**
 * A backend that detects changes, also those of other processes. Without it, watchers see only what
 * is written through their own store. Thread-safe.
 */
public interface ChangePush {
  /** Receives changes. Thread-safe. */
  interface Listener {
    /** A session has changed, or may have. Never waits. */
    void changed(SessionKey key);

    /** The sessions that are being watched. */
    Set<SessionKey> watched();
  }

  /** Notifies a listener of changes until the backend is closed. Called at most once. */
  void attach(Listener listener);
}
