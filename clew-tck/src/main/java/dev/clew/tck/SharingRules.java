package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.Fence;
import dev.clew.Item;
import dev.clew.Leases.Grant;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Two handles on the same data, as two processes have them. A store that does not declare {@link
 * dev.clew.Capability#WATCH_ACROSS_PROCESSES} need not allow a second one; it plays both parts
 * itself.
 */
@Rule(
    "a session is one history for all who have it open, in this process and, with "
        + "Capability.WATCH_ACROSS_PROCESSES, in others")
interface SharingRules extends StoreFixture {

  @Test
  default void whatOneHandleWrites_theOtherReadsAtOnce() {
    SessionKey key = newKey();
    StoredSession here = store().session(key);
    StoredSession there = elsewhere().session(key);
    for (int i = 0; i < 30; i++) {
      (i % 2 == 0 ? here : there).addItems(Items.of("item " + i));
      List<Item> all = Items.numbered("item", i + 1);
      assertThat(here.getItems()).isEqualTo(all);
      assertThat(there.getItems()).isEqualTo(all);
      assertThat(here.getItems(2)).isEqualTo(there.getItems(2));
      assertThat(here.info()).isEqualTo(there.info());
    }
  }

  @Test
  default void whatOneHandleRemoves_theOtherDoesNotShow() {
    SessionKey key = newKey();
    StoredSession here = store().session(key);
    StoredSession there = elsewhere().session(key);
    here.addItems(Items.of("a", "b", "c", "d"));
    assertThat(there.getItems()).hasSize(4);

    there.popItem();
    assertThat(here.getItems()).isEqualTo(Items.of("a", "b", "c"));
    here.commit(Commit.replacePrefix(Items.position(here, 0), Items.of("s")));
    assertThat(there.getItems()).isEqualTo(Items.of("s", "b", "c"));
    there.commit(Commit.removeItem(Items.position(there, 1)));
    assertThat(here.getItems(2)).isEqualTo(Items.of("s", "c"));
    there.clearSession();
    assertThat(here.getItems()).isEmpty();
    assertThat(here.info()).isEmpty();
    here.addItems(Items.of("anew"));
    assertThat(there.getItems()).isEqualTo(Items.of("anew"));
  }

  @Test
  default void positionsAndVersions_growAcrossHandles() {
    SessionKey key = newKey();
    StoredSession here = store().session(key);
    StoredSession there = elsewhere().session(key);
    long version = 0;
    for (int i = 0; i < 10; i++) {
      StoredSession writer = i % 2 == 0 ? here : there;
      long next = writer.commit(Commit.append(Items.of("item"))).version();
      assertThat(next).isGreaterThan(version);
      version = next;
    }

    assertThat(Items.positions(here)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  default void conditions_holdAcrossHandles() {
    SessionKey key = newKey();
    StoredSession here = store().session(key);
    StoredSession there = elsewhere().session(key);
    here.addItems(Items.of("one"));
    long seen = here.info().orElseThrow().version();
    there.update(SessionUpdate.none().title("meanwhile"));

    assertThatThrownBy(() -> here.commit(Commit.append(Items.of("late")).expectVersion(seen)))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(here.info().orElseThrow().title()).isEqualTo("meanwhile");
  }

  @Test
  default void operationIds_areKnownAcrossHandles() {
    SessionKey key = newKey();
    SessionStore elsewhere = elsewhere();
    Commit turn = Commit.append(Items.of("one")).operationId("turn-1");
    store().session(key).commit(turn);

    assertThat(elsewhere.session(key).commit(turn).repeated()).isTrue();
    assertThat(store().session(key).getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  default void leasesAndFences_holdAcrossHandles() {
    SessionKey key = newKey();
    SessionStore elsewhere = elsewhere();
    Duration minute = Duration.ofMinutes(1);
    Grant former = store().leases().tryAcquire(key, "turn", "here", minute).orElseThrow();
    assertThat(elsewhere.leases().tryAcquire(key, "turn", "there", minute)).isEmpty();

    store().leases().release(former);
    assertThat(elsewhere.leases().tryAcquire(key, "turn", "there", minute)).isPresent();
    Commit late = Commit.append(Items.of("late"));
    assertThatThrownBy(
            () -> store().session(key).commit(late.fence(new Fence("turn", former.fence()))))
        .isInstanceOf(ClewException.SessionBusy.class);
  }

  @Test
  default void records_areSharedAcrossHandles() {
    SessionStore elsewhere = elsewhere();
    var put = store().documents().put("ann", "r", "1", OptionalLong.of(0), Optional.empty());

    assertThat(elsewhere.documents().get("ann", "r")).contains(put);
    assertThatThrownBy(
            () -> elsewhere.documents().put("ann", "r", "2", OptionalLong.of(0), Optional.empty()))
        .isInstanceOf(ClewException.VersionConflict.class);
    elsewhere.documents().delete("ann", "r");
    assertThat(store().documents().get("ann", "r")).isEmpty();
  }

  @Test
  default void whatThreadsOnTwoHandlesAppendAndRead_fitsOneLogThatOnlyGrows() {
    SessionKey key = newKey();
    SessionStore elsewhere = elsewhere();
    History history = new History();
    Crowd.of(
        6,
        thread -> {
          StoredSession mine = (thread % 2 == 0 ? store() : elsewhere).session(key);
          Client client = new Client("client" + thread, mine, history);
          for (int i = 0; i < 60; i++) {
            client.appendOrRead(i);
          }
          return thread;
        });

    List<String> log = History.ids(store().session(key).getItems());
    assertThat(HistoryChecker.check(history, log)).as(history.toString()).isEmpty();
    assertThat(History.ids(elsewhere.session(key).getItems())).isEqualTo(log);
  }

  @Test
  default void numbersOfASessionThatOneHandleErased_areNotUsedAgain() {
    SessionKey key = new SessionKey("ann", "1");
    StoredSession here = store().session(key);
    here.addItems(Items.of("one", "two"));
    long version = here.info().orElseThrow().version();
    StoredSession there = elsewhere().session(key);
    try (Replica replica = Replica.following(there)) {
      store().erase("ann");
      Await.until(() -> "told of the end; it got " + replica.events(), replica::hasBegunAnew);
    }
    there.addItems(Items.of("three"));

    assertThat(here.info().orElseThrow().version()).isGreaterThan(version);
    assertThat(here.getItems()).isEqualTo(Items.of("three"));
  }
}
