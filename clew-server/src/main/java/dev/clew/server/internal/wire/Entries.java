package dev.clew.server.internal.wire;

import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.StoredSession;
import java.util.Optional;

/** Finds entries of a session. Stateless. */
public final class Entries {
  private Entries() {}

  public static Optional<Entry> newest(StoredSession session) {
    return session.entries(Range.latest(1)).entries().stream().findFirst();
  }

  public static Optional<Entry> at(StoredSession session, long position, boolean compacted) {
    Range range = Range.after(position - 1, 1);
    return session.entries(compacted ? range.withCompacted() : range).entries().stream()
        .filter(entry -> entry.position() == position)
        .findFirst();
  }
}
