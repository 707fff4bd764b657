package dev.clew.internal.session;

import dev.clew.ClewException;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The operation ids a session has seen of late, with what came of each. Not thread-safe: used under
 * the lock of its session.
 */
public final class Operations {
  private static final Duration REMEMBERED = Duration.ofHours(24);

  private record Done(String digest, Receipt receipt, Instant at) {}

  private final Map<String, Done> done = new LinkedHashMap<>();

  /** The receipt of the same transaction, if it was committed before. */
  public Optional<Receipt> find(SessionKey key, String id, String digest) {
    Done earlier = done.get(id);
    if (earlier == null) {
      return Optional.empty();
    }
    if (!earlier.digest().equals(digest)) {
      throw new ClewException.VersionConflict(
          "operation id '"
              + id
              + "' was used in session "
              + key
              + " with other content; use a new id for a new change");
    }
    Receipt receipt = earlier.receipt();
    return Optional.of(
        new Receipt(receipt.version(), receipt.firstPosition(), receipt.lastPosition(), true));
  }

  /** Remembers an operation that took place now. */
  public void remember(String id, String digest, Receipt receipt, Instant now) {
    Iterator<Done> oldest = done.values().iterator();
    while (oldest.hasNext() && oldest.next().at().plus(REMEMBERED).isBefore(now)) {
      oldest.remove();
    }
    done.put(id, new Done(digest, receipt, now));
  }
}
