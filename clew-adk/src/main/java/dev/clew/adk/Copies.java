package dev.clew.adk;

import com.google.adk.sessions.Session;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Up to which position each copy of a session has the history. Thread-safe. */
final class Copies {
  private final Map<Ref, OptionalLong> tails = new ConcurrentHashMap<>();
  private final ReferenceQueue<Session> gone = new ReferenceQueue<>();

  /** A copy, told apart by identity. */
  private static final class Ref extends WeakReference<Session> {
    private final int hash;

    Ref(Session session, @Nullable ReferenceQueue<Session> queue) {
      super(session, queue);
      this.hash = System.identityHashCode(session);
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
      Session mine = get();
      return other instanceof Ref ref && mine != null && mine == ref.get();
    }
  }

  /** The position of the newest entry the copy has, empty for none; null if it is not known. */
  @Nullable OptionalLong tail(Session session) {
    return tails.get(new Ref(session, null));
  }

  void put(Session session, OptionalLong tail) {
    for (Object ref = gone.poll(); ref != null; ref = gone.poll()) {
      tails.remove(ref);
    }
    tails.put(new Ref(session, gone), tail);
  }
}
