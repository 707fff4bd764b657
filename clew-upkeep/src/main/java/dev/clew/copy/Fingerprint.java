package dev.clew.copy;

import dev.clew.Entry;
import dev.clew.json.Json;
import dev.clew.kit.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Counts entries and digests their items and notes, in order. Not thread-safe.
 *
 * <p>Positions are not part of it: every store gives its own. Nor are times, which a store may have
 * to move so that they do not decrease. Entries that compactions replaced come before all others,
 * so that their number says which they are.
 */
public final class Fingerprint {
  private final MessageDigest digest = Sha256.begin();
  private long count;
  private long compacted;

  /** Of nothing yet. */
  public Fingerprint() {}

  /** Takes one more entry in. */
  public void add(Entry entry) {
    count++;
    compacted += entry.compacted() ? 1 : 0;
    digest.update(entry.item().json().getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0); // no JSON text contains this byte
    if (!entry.notes().isEmpty()) {
      digest.update(Json.write(entry.notes()).getBytes(StandardCharsets.UTF_8));
    }
    digest.update((byte) 0);
  }

  /** How many entries there were. */
  public long count() {
    return count;
  }

  /** How many of them compactions had replaced. */
  public long compacted() {
    return compacted;
  }

  /** What was added so far; more may be added afterwards. */
  public byte[] soFar() {
    return Sha256.copy(digest).digest();
  }

  /** Whether both saw the same items with the same notes in the same order. */
  public boolean sameItems(Fingerprint other) {
    return count == other.count && Arrays.equals(soFar(), other.soFar());
  }

  /** Whether both saw the same history and the same replaced items. */
  public boolean same(Fingerprint other) {
    return compacted == other.compacted && sameItems(other);
  }

  @Override
  public String toString() {
    return count + " items, " + compacted + " of them replaced by compactions";
  }
}
