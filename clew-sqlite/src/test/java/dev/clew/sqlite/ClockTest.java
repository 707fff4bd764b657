package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.tck.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A clock that jumps back an hour, stands still, or jumps ahead a day. */
class ClockTest {
  private static final Instant START = Instant.parse("2030-06-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;
  private final TestClock clock = new TestClock(START);
  private SqliteStore store;

  @BeforeEach
  void open() {
    store = SqliteStore.builder(folder.resolve("clock.db").toString()).clock(clock).open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void add(String session, String text) {
    store.session(session).addItems(List.of(Item.user(text)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-PT1H", "PT0S", "PT24H"})
  void orderAndPositionsFollowTheAppendsWhateverTheClockDoes(Duration jump) {
    StoredSession session = store.session("s");
    List<Item> expected = new ArrayList<>();
    for (int turn = 0; turn < 20; turn++) {
      if (turn == 10) {
        clock.advance(jump);
      }
      List<Item> batch = List.of(Item.user("q " + turn), Item.assistant("a " + turn));
      session.addItems(batch);
      expected.addAll(batch);
      assertThat(session.getItems(10)).isEqualTo(last(expected, 10));
    }
    assertThat(session.getItems()).isEqualTo(expected);
    List<Entry> entries = session.entries(Range.first(100)).entries();
    assertThat(entries).extracting(Entry::position).isSorted().doesNotHaveDuplicates();
    assertThat(entries).extracting(Entry::addedAt).isSorted();
    close();
    open();
    assertThat(store.session("s").getItems()).isEqualTo(expected);
    assertThat(store.session("s").popItem()).contains(Item.assistant("a 19"));
  }

  private static List<Item> last(List<Item> items, int count) {
    return items.subList(Math.max(0, items.size() - count), items.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-PT1H", "PT0S", "PT24H"})
  void versionsGrowWhateverTheClockDoes(Duration jump) {
    StoredSession session = store.session("s");
    List<Long> versions = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      add("s", "item " + i);
      versions.add(version(session));
      session.update(SessionUpdate.none().title("title " + i));
      versions.add(version(session));
      session.popItem();
      versions.add(version(session));
      clock.advance(jump);
    }
    assertThat(versions).isSorted().doesNotHaveDuplicates();
  }

  private static long version(StoredSession session) {
    return session.info().map(SessionInfo::version).orElse(0L);
  }

  @Test
  void theTimeOfAnUpdateNeverGoesBack() {
    add("s", "one");
    clock.advance(HOUR.negated());
    add("s", "two");
    SessionInfo info = store.session("s").info().orElseThrow();
    assertThat(info.updatedAt()).isEqualTo(START);
    assertThat(info.createdAt()).isBeforeOrEqualTo(info.updatedAt());
  }

  @Test
  void sessionsMadeWhileTheClockStandsAreListedOnceEachOverAllPages() {
    for (int i = 0; i < 25; i++) {
      add("s" + i, "item");
    }
    List<String> ids = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      SessionQuery query = SessionQuery.of("").limit(4);
      var page = store.list(cursor.isPresent() ? query.cursor(cursor.get()) : query);
      page.sessions().forEach(info -> ids.add(info.key().id()));
      cursor = page.next();
    } while (cursor.isPresent());
    assertThat(ids).hasSize(25).doesNotHaveDuplicates();
  }

  // ---- expiry

  @Test
  void nothingExpiresEarlyWhenTheClockGoesBackOrStands() {
    add("s", "item");
    store.session("s").update(SessionUpdate.none().timeToLive(HOUR));
    clock.advance(HOUR.negated());
    assertThat(store.sweep(100)).isZero();
    assertThat(store.session("s").getItems(5)).hasSize(1);
    clock.set(START.plus(HOUR).minusMillis(1));
    assertThat(store.sweep(100)).isZero();
    assertThat(store.session("s").getItems(5)).hasSize(1);
    assertThat(store.session("s").getItems()).hasSize(1);
    assertThat(store.session("s").info()).isPresent();
  }

  @Test
  void aWriteWithTheClockBackDoesNotShortenALife() {
    add("s", "item");
    store.session("s").update(SessionUpdate.none().timeToLive(HOUR));
    clock.advance(HOUR.negated());
    add("s", "another"); // counts as written at the time of the one before
    clock.set(START.plus(HOUR).minusMillis(1));
    assertThat(store.session("s").getItems(5)).hasSize(2);
    clock.set(START.plus(HOUR));
    assertThat(store.session("s").getItems(5)).isEmpty();
    assertThat(store.sweep(100)).isEqualTo(1);
  }

  @Test
  void aJumpAheadExpiresOnlyWhatHasALifeThatEnded() {
    add("forever", "item");
    add("hour", "item");
    add("week", "item");
    store.session("hour").update(SessionUpdate.none().timeToLive(HOUR));
    store.session("week").update(SessionUpdate.none().timeToLive(Duration.ofDays(7)));
    assertThat(store.session("hour").getItems(5)).hasSize(1);
    clock.advance(Duration.ofDays(1));
    assertThat(store.session("hour").getItems(5)).isEmpty();
    assertThat(store.session("week").getItems(5)).hasSize(1);
    assertThat(store.session("forever").getItems(5)).hasSize(1);
    assertThat(store.sweep(100)).isEqualTo(1);
  }

  @Test
  void anOperationIsRememberedWhenTheClockJumpsAheadADayOrGoesBack() {
    Commit once = Commit.append(List.of(Item.user("1"))).operationId("op");
    store.session("s").commit(once);
    clock.advance(Duration.ofDays(1));
    assertThat(store.session("s").commit(once).repeated()).isTrue();
    clock.advance(Duration.ofDays(-2));
    assertThat(store.session("s").commit(once).repeated()).isTrue();
    assertThat(store.session("s").getItems()).hasSize(1);
  }

  @Test
  void recordsDoNotEndEarly() {
    store.documents().put("o", "token", "{\"a\":1}", OptionalLong.empty(), Optional.of(HOUR));
    clock.advance(HOUR.negated());
    assertThat(store.sweep(100)).isZero();
    assertThat(store.documents().get("o", "token")).isPresent();
    clock.set(START.plus(HOUR).plusMillis(1));
    assertThat(store.documents().get("o", "token")).isEmpty();
  }

  @Test
  void aLeaseIsNotTakenFromItsHolderWhenTheClockGoesBack() {
    SessionKey key = SessionKey.of("s");
    Leases.Grant grant = store.leases().tryAcquire(key, "turn", "me", HOUR).orElseThrow();
    clock.advance(HOUR.negated());
    assertThat(store.leases().tryAcquire(key, "turn", "you", HOUR)).isEmpty();
    clock.set(START.plus(Duration.ofHours(25)));
    Leases.Grant next = store.leases().tryAcquire(key, "turn", "you", HOUR).orElseThrow();
    assertThat(next.fence()).isGreaterThan(grant.fence());
  }
}
