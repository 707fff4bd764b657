package dev.clew.server.internal.responses;

import dev.clew.Item;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Who asked for a response and reads its events. Thread-safe. */
interface Reader {
  /** Remembers nothing, and is cut off if it is slow. */
  Reader HTTP =
      new Reader() {
        @Override
        public Optional<List<Item>> remembered(String response) {
          return Optional.empty();
        }

        @Override
        public boolean awaitRoom(long added, Duration patience) {
          return true;
        }
      };

  /** The whole context of an earlier response that was not stored. */
  Optional<List<Item>> remembered(String response);

  /**
   * Waits for a reader that is far behind; returns whether it is not any more.
   *
   * @param added the characters of all events so far
   */
  boolean awaitRoom(long added, Duration patience);
}
