package dev.clew.kit.state;

import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The recent operation ids of a session with their receipts. Not thread-safe: used under the lock
 * of its session.
 */
public final class Operations {
  /** How long an id is remembered. */
  public static final Duration REMEMBERED = Duration.ofHours(24);

  public record Done(String id, String digest, Receipt receipt, Instant at) {}

  private final Map<String, Done> done = new LinkedHashMap<>();
  private @Nullable Supplier<List<Done>> earlier;

  /** No operations yet. */
  public Operations() {}

  /** Operations that are loaded when first needed, oldest first. */
  public Operations(Supplier<List<Done>> earlier) {
    this.earlier = earlier;
  }

  /** All that are remembered, oldest first. */
  public List<Done> all() {
    if (earlier != null) {
      List<Done> since = List.copyOf(done.values());
      done.clear();
      earlier.get().forEach(this::add);
      earlier = null;
      since.forEach(this::add);
    }
    return List.copyOf(done.values());
  }

  /** The receipt of the same commit, if it was made before. */
  public Optional<Receipt> find(SessionKey key, String id, String digest) {
    if (earlier != null) {
      all();
    }
    Done found = done.get(id);
    if (found == null) {
      return Optional.empty();
    }
    if (!found.digest().equals(digest)) {
      throw Conflicts.otherContent(key, id);
    }
    Receipt receipt = found.receipt();
    return Optional.of(
        new Receipt(receipt.version(), receipt.firstPosition(), receipt.lastPosition(), true));
  }

  /** Remembers a new operation. */
  public void remember(String id, String digest, Receipt receipt, Instant now) {
    Iterator<Done> oldest = done.values().iterator();
    while (oldest.hasNext() && oldest.next().at().plus(REMEMBERED).isBefore(now)) {
      oldest.remove();
    }
    add(new Done(id, digest, receipt, now));
  }

  /** Adds a past operation. */
  public void add(Done operation) {
    done.put(operation.id(), operation);
  }
}
