package dev.clew.adapter;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of objects that a framework got from an adapter and gives back, as long as they
 * live. They are told apart by identity. Thread-safe.
 */
public final class ByIdentity<K, V> {
  private final Map<Ref<K>, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<K> gone = new ReferenceQueue<>();

  /** Knows nothing yet. */
  public ByIdentity() {}

  private static final class Ref<K> extends WeakReference<K> {
    private final int hash;

    Ref(K object, @Nullable ReferenceQueue<K> queue) {
      super(object, queue);
      this.hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      K mine = get();
      return other instanceof Ref<?> ref && mine != null && mine == ref.get();
    }
  }

  /** What is known of an object; null if nothing is. */
  public @Nullable V get(K object) {
    return values.get(new Ref<>(object, null));
  }

  /** This is known of an object from now on. */
  public void put(K object, V value) {
    for (Object ref = gone.poll(); ref != null; ref = gone.poll()) {
      values.remove(ref);
    }
    values.put(new Ref<>(object, gone), value);
  }
}
