package dev.clew.manage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What was used lately, up to a number of things. Thread-safe. */
final class Recent<K, V> {
  private static final int FIRST_SIZE = 16;
  private static final float LOAD = 0.75f;

  private final Map<K, V> values;

  Recent(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("at least one session is kept, not " + most);
    }
    values =
        new LinkedHashMap<>(FIRST_SIZE, LOAD, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  synchronized V get(K key, Function<K, V> make) {
    V known = values.get(key);
    if (known == null) {
      known = make.apply(key);
      values.put(key, known);
    }
    return known;
  }

  synchronized boolean forget(K key) {
    return values.remove(key) != null;
  }

  synchronized void forgetAll() {
    values.clear();
  }

  /** Everything, the least recently used first. */
  synchronized List<V> all() {
    return List.copyOf(values.values());
  }
}
