package dev.clew.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Await;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Watch;
import dev.clew.kit.state.ChangeLog;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
  private final MemoryStore store = new MemoryStore();
  private final StoredSession session = store.session("s");

  @AfterEach
  void close() {
    store.close();
  }

  private void add(String text) {
    session.addItems(List.of(Item.user(text)));
  }

  private long version() {
    return session.info().map(SessionInfo::version).orElse(0L);
  }

  /** A copy of a session that is kept by events alone. */
  private final class Copy implements AutoCloseable {
    final NavigableMap<Long, Item> items = new TreeMap<>();
    final List<SessionEvent> events = new CopyOnWriteArrayList<>();
    private final Watch watch;

    Copy(long version, List<Entry> start) {
      start.forEach(entry -> items.put(entry.position(), entry.item()));
      watch = session.watch(version, this::take);
    }

    private synchronized void take(SessionEvent event) {
      events.add(event);
      if (event instanceof SessionEvent.Appended appended) {
        appended.entries().forEach(entry -> items.put(entry.position(), entry.item()));
      } else if (event instanceof SessionEvent.Removed removed) {
        removed.positions().forEach(items::remove);
      } else if (event instanceof SessionEvent.Edited edited) {
        items.put(edited.entry().position(), edited.entry().item());
      } else if (event instanceof SessionEvent.Replaced replaced) {
        items.headMap(replaced.upTo(), true).clear();
        replaced.entries().forEach(entry -> items.put(entry.position(), entry.item()));
      } else if (event instanceof SessionEvent.Cleared) {
        items.clear();
      } else if (event instanceof SessionEvent.Reload) {
        items.clear();
        session
            .entries(Range.first(Integer.MAX_VALUE))
            .entries()
            .forEach(entry -> items.put(entry.position(), entry.item()));
      }
    }

    boolean has(String kind) {
      return events.stream().anyMatch(event -> event.getClass().getSimpleName().equals(kind));
    }

    synchronized List<Item> items() {
      return List.copyOf(items.values());
    }

    @Override
    public void close() {
      watch.close();
    }
  }

  @Test
  void everyKindOfChangeArrivesInOrder() {
    try (Copy copy = new Copy(0, List.of())) {
      add("1");
      Await.until("the append arrived", () -> copy.events.size() == 1);
      add("2");
      add("3");
      Await.until("the appends arrived", () -> copy.items().size() == 3);
      session.commit(Commit.removeItem(2));
      session.update(SessionUpdate.none().title("t"));
      Await.until("removal and description arrived", () -> copy.has("Described"));
      session.commit(Commit.replaceItem(3, Draft.of(Item.user("three"))));
      Await.until("the edit arrived", () -> copy.has("Edited"));
      session.commit(Commit.replacePrefix(1, List.of(Item.user("summary"))));
      Await.until("the replacement arrived", () -> copy.has("Replaced"));
      session.popItem();
      session.clearSession();
      Await.until("all arrived", () -> copy.items().isEmpty());

      assertThat(copy.events)
          .extracting(event -> event.getClass().getSimpleName())
          .containsSubsequence(
              "Appended", "Appended", "Removed", "Described", "Edited", "Replaced", "Cleared");
      assertThat(copy.events).extracting(SessionEvent::version).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  void aReplacedSuffixMayBeResumedBetweenItsTwoEvents() {
    add("1");
    long start = version();
    session.commit(Commit.replaceSuffix(List.of(Item.user("1")), List.of(Item.user("2"))));
    List<SessionEvent> events = new CopyOnWriteArrayList<>();
    try (Watch all = session.watch(start, events::add)) {
      Await.until("both events arrived", () -> events.size() == 2);
      assertThat(all).isNotNull();
    }
    List<SessionEvent> rest = new CopyOnWriteArrayList<>();
    try (Watch resumed = session.watch(events.get(0).version(), rest::add)) {
      Await.until("the second event arrived", () -> rest.size() == 1);
      assertThat(resumed).isNotNull();
    }

    assertThat(events.get(0)).isInstanceOf(SessionEvent.Removed.class);
    assertThat(events.get(1)).isInstanceOf(SessionEvent.Appended.class);
    assertThat(rest).containsExactly(events.get(1));
    assertThat(events.get(1).version()).isEqualTo(version());
  }

  @Test
  void aVersionThatIsNoLongerKeptIsToldToReload() {
    add("first");
    long start = version();
    for (int i = 0; i <= ChangeLog.CAPACITY; i++) {
      session.update(SessionUpdate.none().title("more"));
    }
    for (long old : List.of(0L, start, version() + 1000)) {
      List<SessionEvent> events = new CopyOnWriteArrayList<>();
      try (Watch watch = session.watch(old, events::add)) {
        Await.until("something arrived", () -> !events.isEmpty());
        assertThat(events).containsExactly(new SessionEvent.Reload(version()));
        add("after");
        Await.until("the next change arrived", () -> events.size() == 2);
        assertThat(events.get(1)).isInstanceOf(SessionEvent.Appended.class);
        assertThat(watch).isNotNull();
      }
    }
  }

  @Test
  void aSessionMadeAnewIsSeenFromItsBeginning() {
    add("old");
    session.clearSession();
    add("new");
    try (Copy fresh = new Copy(0, List.of())) {
      Await.until("it arrived", () -> fresh.events.size() == 1);

      assertThat(fresh.items()).containsExactly(Item.user("new"));
    }
  }

  @Test
  void theEndOfASessionIsKnownForAWhileAndThenAReload() {
    add("1");
    long start = version();
    session.clearSession();
    List<SessionEvent> soon = new CopyOnWriteArrayList<>();
    try (Watch watch = session.watch(start, soon::add)) {
      Await.until("the end arrived", () -> soon.size() == 1);
      assertThat(watch).isNotNull();
    }
    for (int i = 0; i <= MemorySessions.REMOVED_LOGS; i++) {
      store.session("other" + i).addItems(List.of(Item.user("x")));
      store.session("other" + i).clearSession();
    }
    List<SessionEvent> late = new CopyOnWriteArrayList<>();
    List<SessionEvent> later = new CopyOnWriteArrayList<>();
    try (Watch watch = session.watch(start, late::add)) {
      Await.until("the reload arrived", () -> late.size() == 1);
      assertThat(watch).isNotNull();
    }
    try (Watch again = session.watch(late.get(0).version(), later::add);
        Watch absent = store.session("never").watch(0, later::add)) {
      add("back");
      Await.until("the change arrived", () -> !later.isEmpty());
      assertThat(List.of(again, absent)).doesNotContainNull();
    }

    assertThat(soon.get(0)).isInstanceOf(SessionEvent.Cleared.class);
    assertThat(late.get(0)).isInstanceOf(SessionEvent.Reload.class);
    assertThat(later).hasOnlyElementsOfType(SessionEvent.Appended.class).hasSize(1);
  }

  @Test
  void aListenerThatFailsIsNotTheEndOfAnything() {
    List<SessionEvent> seen = new CopyOnWriteArrayList<>();
    List<SessionEvent> other = new CopyOnWriteArrayList<>();
    try (Watch failing =
            session.watch(
                0,
                event -> {
                  seen.add(event);
                  throw new IllegalStateException("on purpose");
                });
        Watch healthy = session.watch(0, other::add)) {
      add("1");
      add("2");
      Await.until("both got everything", () -> count(seen) == 2 && count(other) == 2);
      assertThat(List.of(failing, healthy)).doesNotContainNull();
    }
  }

  private static int count(List<SessionEvent> events) {
    return events.stream()
        .mapToInt(event -> ((SessionEvent.Appended) event).entries().size())
        .sum();
  }

  @Test
  void aWatchMayBeClosedFromInsideItsListener() {
    AtomicReference<Watch> watch = new AtomicReference<>();
    CountDownLatch assigned = new CountDownLatch(1);
    List<SessionEvent> seen = new CopyOnWriteArrayList<>();
    watch.set(
        session.watch(
            0,
            event -> {
              seen.add(event);
              Await.until("the watch is known", () -> assigned.getCount() == 0);
              watch.get().close();
            }));
    assigned.countDown();
    add("1");
    add("2");
    List<SessionEvent> other = new CopyOnWriteArrayList<>();
    try (Watch after = session.watch(0, other::add)) {
      Await.until("another watcher got everything", () -> count(other) == 2);
      assertThat(after).isNotNull();
    }

    assertThat(seen).hasSize(1);
  }

  @Test
  void theStoreMayBeClosedFromInsideAListener() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    session.watch(
        0,
        event -> {
          store.close();
          closed.complete(null);
        });
    add("1");

    closed.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void aVersionIsNotNegative() {
    assertThatThrownBy(() -> session.watch(-1, event -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void copiesThatStartAnywhereEndEqualToTheSession() {
    for (long seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      List<Copy> copies = new ArrayList<>();
      for (int step = 0; step < 120; step++) {
        if (random.nextInt(12) == 0) {
          // What was read and its version need not agree here: nobody else writes.
          copies.add(new Copy(version(), session.entries(Range.first(10_000)).entries()));
        }
        change(random);
      }
      String description = "seed " + seed;
      List<Item> expected = session.getItems();
      for (Copy copy : copies) {
        Await.until(description + ": the copy is up to date", () -> copy.items().equals(expected));
        assertThat(copy.events)
            .describedAs(description)
            .extracting(SessionEvent::version)
            .doesNotHaveDuplicates()
            .isSorted();
        copy.close();
      }
    }
  }

  private void change(Random random) {
    List<Entry> entries = session.entries(Range.first(10_000)).entries();
    Item item = Item.user("m" + random.nextInt(1000));
    int choice = random.nextInt(entries.isEmpty() ? 1 : 12);
    long position = entries.isEmpty() ? 0 : entries.get(random.nextInt(entries.size())).position();
    switch (choice) {
      case 0, 1, 2, 3, 4 -> session.addItems(List.of(item, item));
      case 5 -> session.popItem();
      case 6 -> session.commit(Commit.removeItem(position));
      case 7 -> session.commit(Commit.replaceItem(position, Draft.of(item)));
      case 8 -> session.commit(Commit.replacePrefix(position, List.of(item)));
      case 9 -> session.commit(Commit.dropPrefix(position, List.of()));
      case 10 -> {
        Item last = entries.get(entries.size() - 1).item();
        session.commit(Commit.replaceSuffix(List.of(last), List.of(item)));
      }
      default -> {
        if (random.nextInt(4) == 0) {
          session.clearSession();
        } else {
          session.update(SessionUpdate.none().title("t" + choice));
        }
      }
    }
  }

  @Test
  void subscribersThatComeWhileOthersWriteMissNothingAndSeeNothingTwice() {
    for (int round = 0; round < 20; round++) {
      StoredSession busy = store.session("busy" + round);
      int writes = ChangeLog.CAPACITY / 2;
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < writes; i++) {
                  busy.addItems(List.of(Item.user("x")));
                }
              });
      List<Subscriber> subscribers = new ArrayList<>();
      while (!writer.isDone() && subscribers.size() < 50) {
        subscribers.add(new Subscriber(busy));
      }
      writer.join();
      List<Long> all =
          busy.entries(Range.first(writes)).entries().stream().map(Entry::position).toList();
      for (Subscriber subscriber : subscribers) {
        Await.until("everything arrived", () -> subscriber.positions.size() >= all.size());
        assertThat(subscriber.positions).isEqualTo(all);
        subscriber.watch.close();
      }
    }
  }

  /** Reads what there is, then watches from there. */
  private static final class Subscriber {
    final List<Long> positions = new CopyOnWriteArrayList<>();
    final Watch watch;

    Subscriber(StoredSession session) {
      long version = session.info().map(SessionInfo::version).orElse(0L);
      for (Entry entry : session.entries(Range.first(Integer.MAX_VALUE)).entries()) {
        positions.add(entry.position());
      }
      long read = positions.isEmpty() ? Long.MIN_VALUE : positions.get(positions.size() - 1);
      watch =
          session.watch(
              version,
              event -> {
                for (Entry entry : ((SessionEvent.Appended) event).entries()) {
                  // Added between asking for the version and reading: known already.
                  if (entry.position() > read) {
                    positions.add(entry.position());
                  }
                }
              });
    }
  }
}
