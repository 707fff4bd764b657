package dev.clew.kit;

import dev.clew.ClewException;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.Watch;
import dev.clew.spi.ChangePush;
import dev.clew.spi.Changes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers changes to watchers, on one thread of the store. Thread-safe.
 *
 * <p>A commit only marks the watchers of its session; the thread then reads the changes since the
 * version of each. So nothing is lost or delivered twice however commits and subscriptions
 * interleave, a slow listener delays no commit, and its backlog takes no memory.
 */
final class Watchers implements ChangePush.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Watchers.class);
  private static final long LOOK_AGAIN_MILLIS = 1_000;

  /** A watcher. Its version is used by the delivering thread only. */
  private final class Subscription implements Watch {
    final SessionKey key;
    final Consumer<SessionEvent> listener;
    final AtomicBoolean waiting = new AtomicBoolean();
    long version;
    volatile boolean closed;

    Subscription(SessionKey key, long version, Consumer<SessionEvent> listener) {
      this.key = key;
      this.version = version;
      this.listener = listener;
    }

    @Override
    public void close() {
      closed = true;
      subscriptions.computeIfPresent(
          key,
          (same, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
          });
    }
  }

  private final BiFunction<SessionKey, Long, Changes> changes;
  private final Map<SessionKey, List<Subscription>> subscriptions = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<Subscription> waiting = new LinkedBlockingQueue<>();
  private final Subscription end = new Subscription(SessionKey.of("end"), 0, event -> {});
  private volatile boolean closed;
  private @Nullable Thread thread;

  /** Reads the changes of a session after a version with {@code changes}. */
  Watchers(BiFunction<SessionKey, Long, Changes> changes) {
    this.changes = changes;
  }

  /** Begins to watch a session from a version on. */
  Watch watch(SessionKey key, long version, Consumer<SessionEvent> listener) {
    if (version < 0) {
      throw new IllegalArgumentException("a version is not negative: " + version);
    }
    Objects.requireNonNull(listener, "listener");
    start();
    Subscription subscription = new Subscription(key, version, listener);
    subscriptions.compute(
        key,
        (same, all) -> {
          List<Subscription> together = all == null ? new CopyOnWriteArrayList<>() : all;
          together.add(subscription);
          return together;
        });
    // Changes before this line are found by the first look, later ones are marked by their commit.
    mark(subscription);
    return subscription;
  }

  @Override
  public void changed(SessionKey key) {
    List<Subscription> all = subscriptions.get(key);
    if (all != null) {
      all.forEach(this::mark);
    }
  }

  @Override
  public Set<SessionKey> watched() {
    return Set.copyOf(subscriptions.keySet());
  }

  private void mark(Subscription subscription) {
    if (subscription.waiting.compareAndSet(false, true)) {
      waiting.add(subscription);
    }
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      thread = new Thread(this::deliver, "clew-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void deliver() {
    Set<Subscription> failed = new HashSet<>();
    while (true) {
      try {
        Subscription subscription =
            failed.isEmpty()
                ? waiting.take()
                : waiting.poll(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        if (subscription == end) {
          return;
        }
        if (subscription == null) {
          failed.forEach(this::mark);
          failed.clear();
        } else {
          subscription.waiting.set(false); // before reading: a commit from now on marks it again
          lookAt(subscription, failed);
        }
      } catch (ClewException.Closed e) {
        return;
      } catch (InterruptedException e) {
        // A listener left this behind; the store ends the thread by other means.
        LOG.debug("interrupted while waiting for changes", e);
      }
    }
  }

  /** A failure for one watcher is retried soon and does not affect the others. */
  private void lookAt(Subscription subscription, Set<Subscription> failed) {
    try {
      deliver(subscription);
    } catch (ClewException.Closed e) {
      throw e;
    } catch (RuntimeException | Error e) {
      failed.add(subscription);
      LOG.warn("could not read the changes of session {}; trying again", subscription.key, e);
    }
  }

  private void deliver(Subscription subscription) {
    if (subscription.closed || closed) {
      return;
    }
    Changes found = changes.apply(subscription.key, subscription.version);
    for (SessionEvent event : found.events()) {
      if (subscription.closed || closed) {
        return;
      }
      subscription.version = event.version();
      try {
        subscription.listener.accept(event);
      } catch (RuntimeException | Error e) {
        LOG.warn(
            "a watcher of session {} failed at version {}; it still gets the next change",
            subscription.key,
            event.version(),
            e);
      }
    }
    subscription.version = found.version();
    if (found.more()) {
      mark(subscription);
    }
  }

  /** Delivers nothing more, apart from an event that is being delivered. */
  synchronized void close() {
    closed = true;
    waiting.add(end);
  }
}
