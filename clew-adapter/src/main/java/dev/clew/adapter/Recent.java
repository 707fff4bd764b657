package dev.clew.adapter;

import dev.clew.SessionKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was last read or written of the sessions used last: a message that is read again is the same
 * object, and need not be decoded. Bounded; thread-safe.
 */
final class Recent<M> {
  private static final int MOST_SESSIONS = 1_000;
  private static final int MOST_MESSAGES = 10_000;

  private final Map<SessionKey, Reading<M>> readings = new LinkedHashMap<>(16, 0.75f, true);
  private int messages;

  synchronized @Nullable Reading<M> get(SessionKey key) {
    return readings.get(key);
  }

  synchronized void put(SessionKey key, Reading<M> reading) {
    remove(key);
    readings.put(key, reading);
    messages += reading.framed().size();
    Iterator<Reading<M>> oldest = readings.values().iterator();
    while (readings.size() > 1 && (messages > MOST_MESSAGES || readings.size() > MOST_SESSIONS)) {
      messages -= oldest.next().framed().size();
      oldest.remove();
    }
  }

  synchronized void remove(SessionKey key) {
    Reading<M> old = readings.remove(key);
    messages -= old == null ? 0 : old.framed().size();
  }
}
