package dev.clew.spi;

import dev.clew.SessionKey;
import java.util.Set;

/**
 * A backend that notices changes by itself, those of other processes too. Without it, watchers see
 * what is written through their own store.
 */
public interface ChangePush {
  /** Who wants to hear of changes. Thread-safe. */
  interface Listener {
    /** A session has changed, or may have. Never waits. */
    void changed(SessionKey key);

    /** The sessions that are being watched. */
    Set<SessionKey> watched();
  }

  /** Tells a listener of changes from now on, until the backend is closed. */
  void attach(Listener listener);
}
