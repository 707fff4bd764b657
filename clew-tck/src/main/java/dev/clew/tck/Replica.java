package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a session that is kept up to date by watching it, as on a second device. Thread-safe.
 *
 * <p>It insists on what a copy needs: versions never go back, and nothing is added twice.
 */
final class Replica implements AutoCloseable {
  private final StoredSession session;
  private final TreeMap<Long, Item> copy = new TreeMap<>();
  private final List<SessionEvent> events = new ArrayList<>();
  private long version;
  private boolean reloaded;
  private @Nullable AssertionError failure;
  private @Nullable Watch watch;

  private Replica(StoredSession session) {
    this.session = session;
    this.version = session.info().map(SessionInfo::version).orElse(0L);
    load();
  }

  /** A copy of the session as it is now, not watching yet. Nobody may be writing. */
  static Replica snapshot(StoredSession session) {
    return new Replica(session);
  }

  /** A copy of the session that follows it from now on. Nobody may be writing. */
  static Replica following(StoredSession session) {
    Replica replica = new Replica(session);
    replica.follow();
    return replica;
  }

  /** Starts to watch, from the version of the snapshot. */
  void follow() {
    watch = session.watch(version(), this::accept);
  }

  private synchronized void load() {
    copy.clear();
    Items.entries(session).forEach(entry -> copy.put(entry.position(), entry.item()));
  }

  private synchronized void accept(SessionEvent event) {
    events.add(event);
    try {
      assertThat(event.version()).as("the version of %s", event).isGreaterThanOrEqualTo(version);
      version = event.version();
      apply(event);
    } catch (AssertionError e) {
      failure = e;
    }
  }

  private void apply(SessionEvent event) {
    if (event instanceof SessionEvent.Appended appended) {
      for (Entry entry : appended.entries()) {
        Item before = copy.put(entry.position(), entry.item());
        // After a reload the copy may be ahead of the events that follow.
        assertThat(before == null || reloaded).as("%s was delivered twice", entry).isTrue();
      }
    } else if (event instanceof SessionEvent.Removed removed) {
      removed.positions().forEach(copy::remove);
    } else if (event instanceof SessionEvent.Edited edited) {
      copy.put(edited.entry().position(), edited.entry().item());
    } else if (event instanceof SessionEvent.Replaced replaced) {
      copy.headMap(replaced.upTo(), true).clear();
      replaced.entries().forEach(entry -> copy.put(entry.position(), entry.item()));
    } else if (event instanceof SessionEvent.Cleared) {
      copy.clear();
    } else if (event instanceof SessionEvent.Reload) {
      reloaded = true;
      load();
    }
  }

  /** Waits until the copy is like the session, which nobody may be writing to. */
  void awaitCaughtUp() {
    List<Entry> entries = Items.entries(session);
    long now = session.info().map(SessionInfo::version).orElse(0L);
    Await.until(
        () -> "the copy is like the session; it got " + events(),
        () -> failed() || (version() >= now && matches(entries)));
    check();
  }

  /** Whether it was told that the history is gone, or may be another. */
  boolean hasBegunAnew() {
    return events().stream()
        .anyMatch(e -> e instanceof SessionEvent.Cleared || e instanceof SessionEvent.Reload);
  }

  /** Waits for an event about which the function has something to say; what it says. */
  <T extends SessionEvent> T await(Class<T> kind) {
    Function<List<SessionEvent>, @Nullable T> find =
        all -> all.stream().filter(kind::isInstance).map(kind::cast).findFirst().orElse(null);
    Await.until(
        () -> kind.getSimpleName() + " is delivered; it got " + events(),
        () -> failed() || find.apply(events()) != null);
    check();
    T event = find.apply(events());
    if (event == null) {
      throw new AssertionError("no " + kind.getSimpleName());
    }
    return event;
  }

  private synchronized boolean matches(List<Entry> entries) {
    return copy.keySet().stream().toList().equals(entries.stream().map(Entry::position).toList())
        && copy.values().stream().toList().equals(entries.stream().map(Entry::item).toList());
  }

  private synchronized boolean failed() {
    return failure != null;
  }

  /** Fails if an event did not fit. */
  synchronized void check() {
    if (failure != null) {
      throw new AssertionError("events do not fit; it got " + events, failure);
    }
  }

  synchronized List<SessionEvent> events() {
    return List.copyOf(events);
  }

  /** Forgets the events so far, not what they did. */
  synchronized void forgetEvents() {
    events.clear();
  }

  /** The items of all {@link SessionEvent.Appended} events, in the order they came. */
  List<Item> appended() {
    List<Item> items = new ArrayList<>();
    for (SessionEvent event : events()) {
      if (event instanceof SessionEvent.Appended appended) {
        appended.entries().forEach(entry -> items.add(entry.item()));
      }
    }
    return items;
  }

  synchronized long version() {
    return version;
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
