package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.HistoryTransaction;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.Leases;
import dev.clew.SearchQuery;
import dev.clew.SessionEvent;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two stores on one server, as two hosts would have. */
class SharingTest {
  private final TestRedis server = TestRedis.shared();
  private final String prefix = TestRedis.newPrefix();
  private SessionStore here;
  private SessionStore there;

  @BeforeEach
  void open() {
    here = RedisStore.open(server.url(prefix));
    there = RedisStore.open(server.url(prefix));
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
  }

  @Test
  void whatOneAppends_theOtherIsToldOfLongBeforeItWouldLook() {
    List<SessionEvent> heard = new CopyOnWriteArrayList<>();
    try (Watch watch = here.session("s").watch(0, heard::add)) {
      there.session("s").addItems(List.of(Item.user("first")));
      Eventually.until("the first is heard of", Duration.ofSeconds(5), () -> heard.size() == 1);
      for (int i = 2; i <= 20; i++) {
        int count = i;
        there.session("s").addItems(List.of(Item.user("next")));
        Eventually.until("told of it", Duration.ofSeconds(5), () -> heard.size() == count);
      }
      assertThat(watch).isNotNull();
    }
    assertThat(heard).extracting(SessionEvent::version).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aLeaseOfOne_keepsTheOtherOutAndFencesItsWrites() {
    SessionKey key = SessionKey.of("s");
    Lease lease = here.session(key).lease("turn", Duration.ofSeconds(30), Duration.ofSeconds(1));
    assertThatThrownBy(
            () -> there.session(key).lease("turn", Duration.ofSeconds(30), Duration.ofMillis(50)))
        .isInstanceOf(ClewException.SessionBusy.class);
    here.apply(key, HistoryTransaction.append(List.of(Item.user("mine"))).fence(lease.fence()));
    lease.close();

    Leases.Grant next =
        there.leases().tryAcquire(key, "turn", "there", Duration.ofSeconds(30)).orElseThrow();
    assertThat(next.fence()).isGreaterThan(lease.fence().number());
    assertThatThrownBy(
            () ->
                here.apply(
                    key,
                    HistoryTransaction.append(List.of(Item.user("late"))).fence(lease.fence())))
        .isInstanceOf(ClewException.SessionBusy.class);
    assertThat(there.session(key).getItems()).hasSize(1);
  }

  @Test
  void ofTwoWritesThatExpectTheSameVersion_oneIsRefused() {
    StoredSession mine = here.session("s");
    mine.addItems(List.of(Item.user("zero")));
    long version = mine.info().orElseThrow().version();
    there
        .session("s")
        .apply(HistoryTransaction.append(List.of(Item.user("a"))).expectVersion(version));

    assertThatThrownBy(
            () ->
                mine.apply(
                    HistoryTransaction.append(List.of(Item.user("b"))).expectVersion(version)))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(mine.getItems()).hasSize(2);
  }

  @Test
  void whatOneWrites_theOtherFinds() {
    here.session("s").addItems(List.of(Item.user("a zanzibarian canary")));

    assertThat(there.search(SearchQuery.of("", "zanzibarian")).hits()).hasSize(1);
    here.erase("");
    assertThat(there.search(SearchQuery.of("", "zanzibarian")).hits()).isEmpty();
  }

  @Test
  void numbersOfAnErasedSession_areNotUsedAgain() {
    StoredSession session = here.session("s");
    session.addItems(List.of(Item.user("one"), Item.user("two")));
    long version = session.info().orElseThrow().version();
    List<SessionEvent> heard = new CopyOnWriteArrayList<>();
    try (Watch watch = there.session("s").watch(version, heard::add)) {
      here.erase("");
      Eventually.until("told of the end", Duration.ofSeconds(5), () -> heard.size() == 1);
      assertThat(heard.get(0)).isInstanceOf(SessionEvent.Cleared.class);
      assertThat(watch).isNotNull();
    }
    session.addItems(List.of(Item.user("three")));
    assertThat(session.info().orElseThrow().version()).isGreaterThan(version);
  }
}
