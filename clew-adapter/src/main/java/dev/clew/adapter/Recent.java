package dev.clew.adapter;

import dev.clew.SessionKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What is known of the sessions that were used last. Bounded; thread-safe. */
final class Recent<V> {
  private static final int MOST_SESSIONS = 1_000;
  private static final int MOST_SIZE = 10_000;

  private final Map<SessionKey, V> values = new LinkedHashMap<>(16, 0.75f, true);
  private final ToIntFunction<V> sizes;
  private int size;

  /** Keeps values of which each has a size. */
  Recent(ToIntFunction<V> sizes) {
    this.sizes = sizes;
  }

  synchronized @Nullable V get(SessionKey key) {
    return values.get(key);
  }

  synchronized void put(SessionKey key, V value) {
    change(key, old -> value);
  }

  /** Puts what this makes of the value, of which null is none. */
  synchronized void change(SessionKey key, UnaryOperator<@Nullable V> change) {
    V old = values.remove(key);
    size -= old == null ? 0 : sizes.applyAsInt(old);
    V value = change.apply(old);
    if (value == null) {
      return;
    }
    values.put(key, value);
    size += sizes.applyAsInt(value);
    Iterator<V> oldest = values.values().iterator();
    while (values.size() > 1 && (size > MOST_SIZE || values.size() > MOST_SESSIONS)) {
      size -= sizes.applyAsInt(oldest.next());
      oldest.remove();
    }
  }

  synchronized void remove(SessionKey key) {
    change(key, old -> null);
  }
}
