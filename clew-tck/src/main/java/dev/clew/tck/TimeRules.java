package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionInfo.Parent;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** C3, C16, C17, C18, C20: what is brought from elsewhere, and above all its times. */
@Rule(
    "a draft or an update may bring times of its own: take them from "
        + "Commit.times and SessionUpdate.times instead of from the clock (see "
        + "Draft.at)")
interface TimeRules extends StoreFixture {
  /** Long before the clock of the contract. */
  Instant THEN = Instant.parse("2021-03-04T05:06:07.089Z");

  @Test
  @Rule(
      "store each entry with the time that Commit.times gives for it, not "
          + "with that of the clock; createdAt of a new session is the first of them, "
          + "updatedAt the last")
  default void itemsFromElsewhere_keepTheirTimesAndMakeTheSessionAsOldAsTheyAre() {
    StoredSession session = newSession();
    add(session, THEN, THEN.plusSeconds(60));
    add(session, THEN.plusSeconds(60), THEN.plusSeconds(90));

    assertThat(times(session))
        .containsExactly(THEN, THEN.plusSeconds(60), THEN.plusSeconds(60), THEN.plusSeconds(90));
    SessionInfo info = session.info().orElseThrow();
    assertThat(info.createdAt()).isEqualTo(THEN);
    assertThat(info.updatedAt()).isEqualTo(THEN.plusSeconds(90));
    session.addItems(Items.of("now"));
    assertThat(times(session)).last().isEqualTo(clock().instant());
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(clock().instant());
    assertThat(session.info().orElseThrow().createdAt()).isEqualTo(THEN);
  }

  @Test
  @Rule(
      "give Commit.times the time of the newest entry and that of now; it "
          + "cuts times to milliseconds and keeps them between the two")
  default void times_neverDecreaseAlongAHistoryAndAreNeverInTheFuture() {
    StoredSession session = newSession();
    Instant now = clock().instant();
    add(session, THEN.plusSeconds(9), THEN, THEN.plusNanos(1_999_999));
    add(session, THEN.minusSeconds(5), now.plusSeconds(5));
    add(session, THEN);

    Instant milli = THEN.plusMillis(1);
    assertThat(times(session)).containsExactly(THEN, THEN, milli, milli, now, now);
    assertThat(session.info().orElseThrow().createdAt()).isEqualTo(THEN);
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(now);
    StoredSession other = newSession();
    add(other, Instant.MIN, Instant.MAX);
    assertThat(times(other)).containsExactly(Instant.EPOCH, now);
  }

  @Test
  @Rule(
      "entries that replace a prefix have the times of their drafts; an item that is "
          + "put in the place of another keeps the time of that one, and the edit itself "
          + "counts as made now")
  default void whatTakesThePlaceOfAnotherItem_keepsTheTimes() {
    StoredSession session = newSession();
    add(session, THEN, THEN.plusSeconds(1));
    session.commit(
        Commit.replacePrefixDrafts(
            Items.position(session, 1), List.of(draft("all", THEN.plusSeconds(2)))));
    add(session, THEN.plusSeconds(3));
    session.commit(
        Commit.replaceItem(Items.position(session, 1), draft("edited", THEN.plusSeconds(9))));

    assertThat(times(session)).containsExactly(THEN.plusSeconds(2), THEN.plusSeconds(3));
    // An edit happens now, whatever it puts there.
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(clock().instant());
  }

  @Test
  @Rule(
      "update with times: createdAt moves only to an earlier time, updatedAt only to a "
          + "later one and never beyond now (see SessionUpdate.times)")
  default void aDescriptionFromElsewhere_setsWhenTheSessionWasMadeAndUpdated() {
    StoredSession session = newSession();
    SessionUpdate times = SessionUpdate.none().title("old").times(THEN, THEN.plusSeconds(50));
    SessionInfo made = session.update(times);
    assertThat(made.createdAt()).isEqualTo(THEN);
    assertThat(made.updatedAt()).isEqualTo(THEN.plusSeconds(50));

    // The items may be older than the last update, as after a pop.
    add(session, THEN.plusSeconds(10));
    assertThat(times(session)).containsExactly(THEN.plusSeconds(10));
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(THEN.plusSeconds(50));
    // It is made earlier and updated later by that, never the other way round.
    Instant before = THEN.minusSeconds(7);
    session.update(SessionUpdate.none().times(before, before));
    session.update(
        SessionUpdate.none().times(THEN.plusSeconds(9), clock().instant().plusMillis(1)));
    SessionInfo info = session.info().orElseThrow();
    assertThat(info.createdAt()).isEqualTo(before);
    assertThat(info.updatedAt()).isEqualTo(clock().instant());
    assertThat(info.title()).isEqualTo("old");
  }

  @Test
  default void aDescriptionFromElsewhere_saysWhatTheSessionWasForkedFrom() {
    StoredSession session = newSession();
    session.addItems(Items.of("one"));
    Parent parent = new Parent(new SessionKey("ann:b", "main"), 17);
    SessionInfo info = session.update(SessionUpdate.none().title("branch").parent(parent));
    assertThat(info.parent()).contains(parent);
    session.update(SessionUpdate.none().title("other"));

    assertThat(session.info().orElseThrow().parent()).contains(parent);
    if (restart()) {
      assertThat(store().session(session.key()).info().orElseThrow().parent()).contains(parent);
    }
  }

  @Test
  @Rule(
      "the orders UPDATED and CREATED go by the times that were brought along, also "
          + "after they changed")
  default void lists_areOrderedByTheTimesFromElsewhere() {
    List<StoredSession> sessions = List.of(newSession(), newSession(), newSession());
    add(sessions.get(0), THEN, THEN.plusSeconds(30));
    sessions.get(1).addItems(Items.of("now"));
    add(sessions.get(2), THEN.plusSeconds(10), THEN.plusSeconds(20));
    assertThat(listed(Order.UPDATED)).containsExactly(ids(sessions, 1, 0, 2));
    assertThat(listed(Order.CREATED)).containsExactly(ids(sessions, 1, 2, 0));

    sessions.get(1).update(SessionUpdate.none().times(THEN.minusSeconds(1), THEN));
    sessions.get(2).update(SessionUpdate.none().times(THEN, clock().instant().minusSeconds(1)));
    assertThat(listed(Order.UPDATED)).containsExactly(ids(sessions, 1, 2, 0));
    assertThat(listed(Order.CREATED)).containsExactly(ids(sessions, 0, 2, 1));
  }

  @Test
  @Rule("a write that would leave a session expired at once sets updatedAt to now instead")
  default void whatIsOlderThanItsTimeToLive_countsAsUpdatedNow() {
    openWith(options().with(Duration.ofHours(1)));
    Instant now = clock().instant();
    StoredSession appended = newSession();
    add(appended, THEN, now.minus(Duration.ofMinutes(61)));
    StoredSession described = newSession();
    described.update(SessionUpdate.none().times(THEN, THEN));
    add(described, THEN);
    StoredSession young = newSession();
    add(young, THEN, now.minus(Duration.ofMinutes(40)));

    assertThat(times(appended)).containsExactly(THEN, now.minus(Duration.ofMinutes(61)));
    assertThat(appended.info().orElseThrow().updatedAt()).isEqualTo(now);
    assertThat(times(described)).containsExactly(THEN);
    assertThat(described.info().orElseThrow().updatedAt()).isEqualTo(now);
    clock().advance(Duration.ofMinutes(30));
    store().sweep(10);
    assertThat(young.info()).as("lives since its last item").isEmpty();
    assertThat(listed(Order.CREATED)).hasSize(2);
    clock().advance(Duration.ofMinutes(31));
    assertThat(appended.info()).isEmpty();
    assertThat(listed(Order.CREATED)).isEmpty();
  }

  @Test
  default void theSameOperationWithOtherTimes_isAnotherOperation() {
    Commit one = Commit.appendDrafts(List.of(draft("one", THEN)));
    Commit other = Commit.append(Items.of("one"));

    assertThat(one.digest()).isNotEqualTo(other.digest());
    StoredSession session = newSession();
    session.commit(one.operationId("op"));
    assertThat(session.commit(one.operationId("op")).repeated()).isTrue();
    assertThat(times(session)).containsExactly(THEN);
  }

  private static Draft draft(String text, Instant at) {
    return Draft.of(Item.user(text)).at(at);
  }

  private static void add(StoredSession session, Instant... times) {
    List<Draft> drafts = new ArrayList<>();
    for (Instant time : times) {
      drafts.add(draft("at " + time, time));
    }
    session.commit(Commit.appendDrafts(drafts));
  }

  private static List<Instant> times(StoredSession session) {
    return Items.entries(session).stream().map(Entry::addedAt).toList();
  }

  private List<String> listed(Order order) {
    return store().list(SessionQuery.of("").order(order)).sessions().stream()
        .map(info -> info.key().id())
        .toList();
  }

  private static String[] ids(List<StoredSession> sessions, int... indexes) {
    String[] ids = new String[indexes.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = sessions.get(indexes[i]).key().id();
    }
    return ids;
  }
}
