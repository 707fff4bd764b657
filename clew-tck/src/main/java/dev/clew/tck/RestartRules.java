package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Durability;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What is there after the store was closed and opened again: everything, or nothing if it is {@link
 * Durability#VOLATILE}.
 */
@Rule(
    "a store that is not VOLATILE has everything again when it is opened again: items, "
        + "archive, description, operation ids, records, counters, fences")
interface RestartRules extends StoreFixture {

  @Test
  default void items_surviveARestart() {
    SessionKey key = newKey();
    store().session(key).addItems(HostileItems.all());
    boolean durable = restart();

    assertThat(store().session(key).getItems()).isEqualTo(durable ? HostileItems.all() : List.of());
  }

  @Test
  default void whatWasPoppedOrCleared_staysGoneAfterARestart() {
    SessionKey popped = newKey();
    SessionKey cleared = newKey();
    store().session(popped).addItems(Items.of("one", "two"));
    store().session(popped).popItem();
    store().session(cleared).addItems(Items.of("three"));
    store().session(cleared).clearSession();
    boolean durable = restart();

    assertThat(store().session(popped).getItems()).isEqualTo(durable ? Items.of("one") : List.of());
    assertThat(store().session(cleared).getItems()).isEmpty();
    assertThat(store().session(cleared).info()).isEmpty();
  }

  @Test
  default void theDescription_survivesARestart() {
    SessionKey key = newKey();
    store().session(key).addItems(Items.of("one", "two"));
    SessionInfo before =
        store()
            .session(key)
            .update(
                SessionUpdate.none()
                    .title("a title")
                    .metadata(Map.of("k", List.of(1, 2.5, "x")))
                    .tags(Set.of("t"))
                    .archived(true)
                    .pinned(true)
                    .timeToLive(Duration.ofDays(3)));
    boolean durable = restart();

    assertThat(store().session(key).info())
        .isEqualTo(durable ? Optional.of(before) : Optional.empty());
    assertThat(store().list(SessionQuery.of("")).sessions())
        .isEqualTo(durable ? List.of(before) : List.of());
  }

  @Test
  default void positionsAndTheArchive_surviveARestart() {
    SessionKey key = newKey();
    StoredSession session = store().session(key);
    session.addItems(Items.of("a", "b", "c"));
    session.commit(Commit.replacePrefix(Items.position(session, 1), Items.of("sum")));
    var before = session.entries(Range.first(10).withCompacted());
    boolean durable = restart();

    var after = store().session(key).entries(Range.first(10).withCompacted());
    assertThat(after.entries()).isEqualTo(durable ? before.entries() : List.of());
  }

  @Test
  default void positionsAndVersions_goOnGrowingAfterARestart() {
    SessionKey key = newKey();
    StoredSession session = store().session(key);
    session.addItems(Items.of("a", "b"));
    long popped = Items.position(session, 1);
    session.popItem();
    long version = session.info().orElseThrow().version();
    boolean durable = restart();
    StoredSession again = store().session(key);
    again.addItems(Items.of("c"));

    assertThat(again.getItems()).isEqualTo(durable ? Items.of("a", "c") : Items.of("c"));
    if (durable) {
      assertThat(Items.position(again, 1)).isGreaterThan(popped);
      assertThat(again.info().orElseThrow().version()).isGreaterThan(version);
    }
  }

  @Test
  default void positionsAndVersionsOfAClearedSession_goOnGrowingAfterARestart() {
    SessionKey key = newKey();
    store().session(key).addItems(Items.of("a", "b"));
    long last = Items.position(store().session(key), 1);
    long version = store().session(key).info().orElseThrow().version();
    store().session(key).delete();
    boolean durable = restart();
    StoredSession again = store().session(key);
    again.addItems(Items.of("c"));

    assertThat(again.getItems()).isEqualTo(Items.of("c"));
    if (durable) {
      assertThat(Items.position(again, 0)).isGreaterThan(last);
      assertThat(again.info().orElseThrow().version()).isGreaterThan(version);
    }
  }

  @Test
  default void operationIds_surviveARestart() {
    SessionKey key = newKey();
    Commit turn = Commit.append(Items.of("one")).operationId("turn-1");
    store().session(key).commit(turn);
    boolean durable = restart();

    assertThat(store().session(key).commit(turn).repeated()).isEqualTo(durable);
    assertThat(store().session(key).getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  default void forks_surviveARestart() {
    SessionKey key = newKey();
    store().session(key).addItems(Items.of("a", "b"));
    long upTo = Items.position(store().session(key), 0);
    SessionKey target = newKey();
    SessionInfo fork = store().session(key).forkTo(target, upTo);
    boolean durable = restart();

    assertThat(store().session(target).info())
        .isEqualTo(durable ? Optional.of(fork) : Optional.empty());
    assertThat(store().session(target).getItems()).isEqualTo(durable ? Items.of("a") : List.of());
  }

  @Test
  default void records_surviveARestart() {
    var put =
        store()
            .documents()
            .put(
                "ann",
                "state",
                "{\"b\":1,\"a\":0.10}",
                OptionalLong.empty(),
                Optional.of(Duration.ofDays(1)));
    boolean durable = restart();

    assertThat(store().documents().get("ann", "state"))
        .isEqualTo(durable ? Optional.of(put) : Optional.empty());
  }

  @Test
  default void leasesAndFences_surviveARestart() {
    SessionKey key = newKey();
    Duration minute = Duration.ofMinutes(1);
    Leases.Grant held = store().leases().tryAcquire(key, "turn", "ann", minute).orElseThrow();
    boolean durable = restart();

    assertThat(store().leases().tryAcquire(key, "turn", "bob", minute).isPresent())
        .isEqualTo(!durable);
    clock().advance(minute.plusSeconds(1));
    Leases.Grant next = store().leases().tryAcquire(key, "turn", "carl", minute).orElseThrow();
    if (durable) {
      assertThat(next.fence()).isGreaterThan(held.fence());
    }
  }

  @Test
  default void anErasedOwner_staysErasedAfterARestart() {
    SessionKey key = new SessionKey("ann", "1");
    store().session(key).addItems(Items.of("secret"));
    store().documents().put("ann", "r", "{}", OptionalLong.empty(), Optional.empty());
    store().erase("ann");
    restart();

    assertThat(store().session(key).getItems()).isEmpty();
    assertThat(store().documents().get("ann", "r")).isEmpty();
    assertThat(store().owners(Optional.empty(), 10)).isEmpty();
  }

  @Test
  default void durability_isDeclared() {
    assertThat(store().traits().durability()).isNotNull();
    SessionKey key = newKey();
    store().session(key).addItems(List.of(Item.user("one")));

    assertThat(restart()).isEqualTo(store().traits().durability() != Durability.VOLATILE);
    assertThat(store().session(key).info().isPresent())
        .isEqualTo(store().traits().durability() != Durability.VOLATILE);
  }
}
