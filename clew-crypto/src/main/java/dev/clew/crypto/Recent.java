package dev.clew.crypto;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The values used last, up to a total weight. Thread-safe. */
final class Recent<K, V> {
  private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);
  private final ToLongFunction<V> weigher;
  private final long most;
  private long weight;

  Recent(long most, ToLongFunction<V> weigher) {
    this.most = most;
    this.weigher = weigher;
  }

  synchronized @Nullable V get(K key) {
    return values.get(key);
  }

  synchronized void put(K key, V value) {
    remove(key);
    long more = weigher.applyAsLong(value);
    if (more > most) {
      return; // it would displace all others
    }
    values.put(key, value);
    weight += more;
    Iterator<V> longestUnused = values.values().iterator();
    while (weight > most) {
      weight -= weigher.applyAsLong(longestUnused.next());
      longestUnused.remove();
    }
  }

  synchronized void remove(K key) {
    V before = values.remove(key);
    weight -= before == null ? 0 : weigher.applyAsLong(before);
  }

  synchronized void removeIf(Predicate<K> unwanted) {
    values
        .entrySet()
        .removeIf(
            entry -> {
              boolean out = unwanted.test(entry.getKey());
              weight -= out ? weigher.applyAsLong(entry.getValue()) : 0;
              return out;
            });
  }
}
