package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Capability;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionEvent;
import dev.clew.SessionEvent.Appended;
import dev.clew.SessionEvent.Cleared;
import dev.clew.SessionEvent.Described;
import dev.clew.SessionEvent.Edited;
import dev.clew.SessionEvent.Reload;
import dev.clew.SessionEvent.Removed;
import dev.clew.SessionEvent.Replaced;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** C22: watching a session. */
@Rule(
    "watch delivers every commit after a version, in order and once, on a thread of the "
        + "store, and says Reload when it no longer knows (see SessionEvent)")
interface WatchRules extends StoreFixture {

  @Test
  default void anAppend_isDeliveredWithItsEntries() {
    StoredSession session = newSession();
    session.addItems(Items.of("before"));
    try (Replica replica = Replica.following(session)) {
      session.addItems(Items.of("one", "two"));

      Appended event = replica.await(Appended.class);
      List<Entry> entries = Items.entries(session).subList(1, 3);
      assertThat(event.entries()).isEqualTo(entries);
      assertThat(event.version()).isEqualTo(session.info().orElseThrow().version());
    }
  }

  @Test
  default void everyAppend_isDeliveredOnceAndInOrder() {
    StoredSession session = newSession();
    List<Item> items = Items.numbered("item", 60);
    try (Replica replica = Replica.following(session)) {
      for (Item item : items) {
        session.addItems(List.of(item));
      }

      replica.awaitCaughtUp();
      assertThat(Items.texts(replica.appended())).isEqualTo(Items.texts(items));
    }
  }

  @Test
  default void aSessionThatDoesNotExistYet_canBeWatchedFromZero() {
    StoredSession session = newSession();
    try (Replica replica = Replica.following(session)) {
      session.addItems(Items.of("first"));

      replica.awaitCaughtUp();
      assertThat(replica.appended()).isEqualTo(Items.of("first"));
    }
  }

  @Test
  default void everySubscriber_getsEveryChange() {
    StoredSession session = newSession();
    try (Replica first = Replica.following(session);
        Replica second = Replica.following(session);
        Replica third = Replica.following(store().session(session.key()))) {
      session.addItems(Items.of("one"));
      session.popItem();
      session.addItems(Items.of("two", "three"));

      for (Replica replica : List.of(first, second, third)) {
        replica.awaitCaughtUp();
      }
    }
  }

  @Test
  default void aPop_isDeliveredAsRemoved() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    long position = Items.position(session, 1);
    try (Replica replica = Replica.following(session)) {
      session.popItem();

      assertThat(replica.await(Removed.class).positions()).containsExactly(position);
      replica.awaitCaughtUp();
    }
  }

  @Test
  default void aRemovedItem_isDeliveredAsRemoved() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two", "three"));
    long position = Items.position(session, 1);
    try (Replica replica = Replica.following(session)) {
      session.commit(Commit.removeItem(position));

      assertThat(replica.await(Removed.class).positions()).containsExactly(position);
      replica.awaitCaughtUp();
    }
  }

  @Test
  default void aReplacedItem_isDeliveredAsEdited() {
    StoredSession session = newSession();
    session.addItems(Items.of("one", "two"));
    long position = Items.position(session, 0);
    try (Replica replica = Replica.following(session)) {
      session.commit(Commit.replaceItem(position, Draft.of(Item.user("ONE"))));

      assertThat(replica.await(Edited.class).entry()).isEqualTo(Items.entries(session).get(0));
      replica.awaitCaughtUp();
    }
  }

  @Test
  default void aReplacedPrefix_isDeliveredAsOneEvent() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    long upTo = Items.position(session, 1);
    try (Replica replica = Replica.following(session)) {
      session.commit(Commit.replacePrefix(upTo, Items.of("s1", "s2")));

      Replaced event = replica.await(Replaced.class);
      replica.awaitCaughtUp();
      assertThat(event.upTo()).isEqualTo(upTo);
      assertThat(event.entries()).isEqualTo(Items.entries(session).subList(0, 2));
      assertThat(replica.events()).containsExactly(event);
    }
  }

  @Test
  default void aReplacedSuffix_bringsTheCopyToTheNewEnd() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    try (Replica replica = Replica.following(session)) {
      session.commit(Commit.replaceSuffix(Items.of("b", "c"), Items.of("B")));
      replica.awaitCaughtUp();
      session.addItems(Items.of("d"));
      replica.awaitCaughtUp();
    }
  }

  @Test
  @Rule(
      "the items that a suffix replaced are delivered as Removed, in one event or several, and then"
          + " those that came instead as one Appended; each event has a higher version than the one"
          + " before, and the last has that of the receipt")
  default void aReplacedSuffix_isDeliveredAsRemovedAndThenAsAppended() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    List<Long> replaced = Items.positions(session).subList(1, 3);
    try (Replica replica = Replica.following(session)) {
      Receipt receipt =
          session.commit(Commit.replaceSuffix(Items.of("b", "c"), Items.of("B", "C")));
      replica.awaitCaughtUp();

      List<SessionEvent> events = replica.events();
      List<Long> removed = new ArrayList<>();
      for (SessionEvent event : events.subList(0, events.size() - 1)) {
        assertThat(event).isInstanceOf(Removed.class);
        removed.addAll(((Removed) event).positions());
      }
      assertThat(removed).containsExactlyInAnyOrderElementsOf(replaced);
      assertThat(events.get(events.size() - 1))
          .isEqualTo(new Appended(receipt.version(), Items.entries(session).subList(1, 3)));
      assertThat(events).extracting(SessionEvent::version).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  default void anUpdate_isDeliveredAsDescribed() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    try (Replica replica = Replica.following(session)) {
      long version = session.update(SessionUpdate.none().title("renamed")).version();

      assertThat(replica.await(Described.class).version()).isEqualTo(version);
    }
  }

  @Test
  default void aClear_isDeliveredAndTheWatchGoesOn() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    try (Replica replica = Replica.following(session)) {
      session.clearSession();
      replica.await(Cleared.class);
      session.addItems(Items.of("anew"));

      replica.awaitCaughtUp();
      assertThat(replica.appended()).isEqualTo(Items.of("anew"));
    }
  }

  @Test
  default void anErasedOwner_isDeliveredAsCleared() {
    StoredSession session = store().session(new SessionKey("ann", "1"));
    session.addItems(Items.of("one"));
    try (Replica replica = Replica.following(session)) {
      store().erase("ann");

      Await.until(() -> "the copy is empty; it got " + replica.events(), replica::hasBegunAnew);
    }
  }

  @Test
  default void aSweptSession_isDeliveredAsCleared() {
    openWith(options().with(Duration.ofHours(1)));
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    try (Replica replica = Replica.following(session)) {
      clock().advance(Duration.ofHours(2));
      store().sweep(100);

      Await.until(() -> "the copy is empty; it got " + replica.events(), replica::hasBegunAnew);
    }
  }

  @Test
  default void aFork_isDeliveredToThoseWhoWaitForIt() {
    StoredSession source = newSession();
    source.addItems(Items.of("a", "b"));
    StoredSession fork = newSession();
    try (Replica replica = Replica.following(fork)) {
      store().session(source.key()).forkTo(fork.key(), Items.position(source, 1));

      replica.awaitCaughtUp();
    }
  }

  @Test
  default void aSubscriberFromTheNewestVersion_getsNothingOld() {
    StoredSession session = newSession();
    session.addItems(Items.of("old"));
    session.addItems(Items.of("older"));
    try (Replica replica = Replica.following(session)) {
      session.addItems(Items.of("new"));

      replica.awaitCaughtUp();
      assertThat(replica.appended()).isEqualTo(Items.of("new"));
    }
  }

  @Test
  default void aSubscriberFromAnOlderVersion_hasNoGap() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    try (Replica replica = Replica.snapshot(session)) {
      session.addItems(Items.of("two"));
      session.addItems(Items.of("three", "four"));
      replica.follow();
      session.addItems(Items.of("five"));

      replica.awaitCaughtUp();
    }
  }

  @Test
  default void aSubscriberFromAnOlderVersion_getsTheEffectOfEveryKindOfChange() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c", "d", "e"));
    try (Replica replica = Replica.snapshot(session)) {
      session.addItems(Items.of("f", "g"));
      session.popItem();
      session.commit(Commit.removeItem(Items.position(session, 2)));
      session.commit(Commit.replacePrefix(Items.position(session, 1), Items.of("s")));
      session.commit(Commit.replaceItem(Items.position(session, 1), Draft.of(Item.user("D"))));
      session.commit(Commit.replaceSuffix(Items.of("f"), Items.of("F", "H")));
      session.update(SessionUpdate.none().title("changed"));
      replica.follow();
      replica.awaitCaughtUp();
    }
  }

  @Test
  default void aSubscriberFromBeforeAClear_isNotLeftWithTheOldItems() {
    StoredSession session = newSession();
    session.addItems(Items.of("old"));
    try (Replica replica = Replica.snapshot(session)) {
      session.clearSession();
      session.addItems(Items.of("new"));
      replica.follow();
      replica.awaitCaughtUp();
    }
  }

  @Test
  default void changesOfOtherSessions_areNotDelivered() {
    StoredSession session = store().session(new SessionKey("ann", "shared"));
    session.addItems(Items.of("one"));
    try (Replica replica = Replica.following(session)) {
      store().session(new SessionKey("bob", "shared")).addItems(Items.of("not for ann"));
      store().session("shared").addItems(Items.of("not for ann"));
      store().session(new SessionKey("ann", "other")).addItems(Items.of("not here"));
      session.addItems(Items.of("two"));

      replica.awaitCaughtUp();
      assertThat(replica.appended()).isEqualTo(Items.of("two"));
    }
  }

  @Test
  default void aClosedWatch_getsNothingMore() {
    StoredSession session = newSession();
    Replica closed = Replica.following(session);
    session.addItems(Items.of("one"));
    closed.awaitCaughtUp();
    closed.close();
    closed.close();
    closed.forgetEvents();
    try (Replica open = Replica.following(session)) {
      session.addItems(Items.of("two"));
      open.awaitCaughtUp();
      session.addItems(Items.of("three"));
      open.awaitCaughtUp();
    }

    assertThat(closed.events()).isEmpty();
  }

  @Test
  default void aListenerThatThrows_disturbsNeitherWritersNorOtherListeners() {
    StoredSession session = newSession();
    CountDownLatch thrown = new CountDownLatch(1);
    try (Watch bad =
            session.watch(
                0,
                event -> {
                  thrown.countDown();
                  throw new IllegalStateException("a listener that fails on purpose");
                });
        Replica good = Replica.following(session)) {
      assertThat(bad).isNotNull();
      session.addItems(Items.of("one"));
      Await.open("the bad listener was called", thrown);
      session.addItems(Items.of("two"));

      good.awaitCaughtUp();
      assertThat(session.getItems()).isEqualTo(Items.of("one", "two"));
    }
  }

  @Test
  default void aListenerThatBlocks_doesNotBlockWriters() {
    StoredSession session = newSession();
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Watch slow =
        session.watch(
            0,
            event -> {
              called.countDown();
              Await.open("the writer is done", release);
            })) {
      assertThat(slow).isNotNull();
      session.addItems(Items.of("one"));
      Await.open("the slow listener was called", called);
      for (int i = 0; i < 50; i++) {
        session.addItems(Items.of("more"));
      }
      assertThat(session.getItems()).hasSize(51);
      release.countDown();
    }
  }

  @Test
  default void whatManyWritersDo_reachesTheCopyOnceAndInOrder() {
    StoredSession session = newSession();
    try (Replica replica = Replica.following(session)) {
      Crowd.of(
          4,
          thread -> {
            for (int i = 0; i < 30; i++) {
              session.addItems(Items.of(thread + "/" + i, thread + "/" + i + " too"));
            }
            return thread;
          });

      replica.awaitCaughtUp();
      if (replica.events().stream().noneMatch(WatchRules::isReload)) {
        assertThat(Items.texts(replica.appended())).isEqualTo(Items.texts(session.getItems()));
      }
    }
  }

  @Test
  default void aWatch_seesWhatIsWrittenElsewhereIfTheStoreSaysSo() {
    boolean across = store().traits().capabilities().contains(Capability.WATCH_ACROSS_PROCESSES);
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    Optional<SessionStore> elsewhere = across ? secondHandle() : Optional.empty();
    assertThat(elsewhere.isPresent()).as("a second handle on the same data").isEqualTo(across);
    try (Replica replica = Replica.following(session)) {
      StoredSession writer = elsewhere.orElse(store()).session(session.key());
      writer.addItems(Items.of("from elsewhere"));
      writer.popItem();
      writer.addItems(Items.of("from elsewhere, too"));
      assertThat(session.getItems()).isEqualTo(Items.of("one", "from elsewhere, too"));

      replica.awaitCaughtUp();
    }
  }

  private static boolean isReload(SessionEvent event) {
    return event instanceof Reload;
  }
}
