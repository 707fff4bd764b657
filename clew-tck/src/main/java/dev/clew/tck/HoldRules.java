package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Company;
import dev.clew.Draft;
import dev.clew.HistoryTransaction;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.manage.SessionManager;
import dev.clew.retention.HoldingStore;
import dev.clew.retention.LegalHolds;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** C20: what is on legal hold is neither removed nor does it expire, whatever is called. */
interface HoldRules extends StoreFixture {
  /** Far beyond every time to live in these rules. */
  Duration LATER = Duration.ofDays(400);

  Company SHORT_LIFE =
      new Company(
          Optional.of(Duration.ofSeconds(1)),
          "company",
          OptionalLong.empty(),
          Optional.empty(),
          receipt -> "{}");

  /** Every call that would take something from a session, now or later. */
  private static Map<String, BiConsumer<SessionStore, StoredSession>> removals() {
    Map<String, BiConsumer<SessionStore, StoredSession>> all = new LinkedHashMap<>();
    all.put("delete", (store, session) -> store.delete(session.key()));
    all.put("clear", (store, session) -> session.clearSession());
    all.put("pop", (store, session) -> session.popItem());
    all.put("erase", (store, session) -> store.erase(session.key().owner()));
    all.put("drop", (store, s) -> s.apply(HistoryTransaction.dropPrefix(newest(s), List.of())));
    all.put("remove", (store, s) -> s.apply(HistoryTransaction.removeItem(newest(s))));
    all.put(
        "edit",
        (store, s) ->
            s.apply(HistoryTransaction.replaceItem(newest(s), Draft.of(Item.user("other")))));
    all.put(
        "undo", (store, s) -> s.apply(HistoryTransaction.replaceSuffix(s.getItems(1), List.of())));
    all.put(
        "remove later",
        (store, s) -> store.applyLater(s.key(), HistoryTransaction.removeItem(newest(s))).join());
    all.put(
        "remove with company",
        (store, s) -> store.apply(s.key(), HistoryTransaction.removeItem(newest(s)), SHORT_LIFE));
    all.put(
        "remove with company later",
        (store, s) ->
            store.applyLater(s.key(), HistoryTransaction.removeItem(newest(s)), SHORT_LIFE).join());
    all.put(
        "time to live",
        (store, s) -> s.update(SessionUpdate.none().timeToLive(Duration.ofSeconds(1))));
    all.put(
        "the store's time to live",
        (store, s) -> s.update(SessionUpdate.none().timeToLive(Duration.ZERO)));
    all.put(
        "time to live with a title",
        (store, s) -> s.update(SessionUpdate.none().title("x").timeToLive(Duration.ofDays(300))));
    return all;
  }

  /** Every call that goes on with a session on hold, or makes one. */
  private static Map<String, BiConsumer<SessionStore, StoredSession>> additions() {
    HistoryTransaction more = HistoryTransaction.append(Items.of("more"));
    Map<String, BiConsumer<SessionStore, StoredSession>> all = new LinkedHashMap<>();
    all.put("add", (store, session) -> session.addItems(Items.of("more")));
    all.put("add later", (store, session) -> store.applyLater(session.key(), more).join());
    all.put(
        "add once", (store, session) -> store.apply(session.key(), more.operationId("operation")));
    all.put("add with company", (store, s) -> store.apply(s.key(), more, SHORT_LIFE));
    all.put(
        "add with company later", (store, s) -> store.applyLater(s.key(), more, SHORT_LIFE).join());
    all.put("title", (store, session) -> session.update(SessionUpdate.none().title("x")));
    all.put(
        "bring from elsewhere",
        (store, s) ->
            s.update(
                SessionUpdate.none()
                    .timeToLive(Duration.ofSeconds(1))
                    .times(Instant.EPOCH, Instant.EPOCH)));
    return all;
  }

  private static long newest(StoredSession session) {
    return session.entries(Range.latest(1)).entries().get(0).position();
  }

  private StoredSession held(SessionStore guarded, Optional<String> id, String owner) {
    StoredSession session = guarded.session(new SessionKey(owner, "held"));
    session.addItems(Items.of("one", "two"));
    new LegalHolds(guarded).place(owner, id, "case 17", clock());
    return session;
  }

  @Test
  default void whatIsOnHold_isNotRemovedByAnyCall() {
    openWith(options().with(Duration.ofHours(1)));
    SessionStore guarded = new HoldingStore(store());
    for (Optional<String> id : List.of(Optional.of("held"), Optional.<String>empty())) {
      for (Map.Entry<String, BiConsumer<SessionStore, StoredSession>> each :
          removals().entrySet()) {
        StoredSession session = held(guarded, id, each.getKey() + id);

        assertThatThrownBy(() -> each.getValue().accept(guarded, session))
            .as(each.getKey())
            .satisfies(
                failure ->
                    assertThat(
                            failure instanceof CompletionException ? failure.getCause() : failure)
                        .isInstanceOf(ClewException.OnHold.class)
                        .hasMessageContaining("case 17"));
        assertKept(session, 2, each.getKey());
      }
    }
  }

  @Test
  default void whatIsOnHold_goesOnAndDoesNotExpire() {
    openWith(options().with(Duration.ofHours(1)));
    SessionStore guarded = new HoldingStore(store());
    for (Map.Entry<String, BiConsumer<SessionStore, StoredSession>> each : additions().entrySet()) {
      StoredSession session = held(guarded, Optional.of("held"), each.getKey());
      each.getValue().accept(guarded, session);

      assertKept(session, each.getKey().startsWith("add") ? 3 : 2, each.getKey());
    }
  }

  @Test
  default void whatAnOwnerOnHoldMakesLater_doesNotExpire() {
    openWith(options().with(Duration.ofHours(1)));
    SessionStore guarded = new HoldingStore(store());
    StoredSession source = held(guarded, Optional.empty(), "ann");
    Map<String, BiConsumer<SessionStore, StoredSession>> ways = new LinkedHashMap<>(additions());
    ways.put("fork", (store, s) -> store.fork(source.key(), newest(source), s.key()));
    ways.put(
        "make with a time to live",
        (store, s) -> s.update(SessionUpdate.none().timeToLive(Duration.ofSeconds(1))));
    ways.forEach(
        (name, way) -> {
          way.accept(guarded, guarded.session(new SessionKey("ann", name)));
          store().session(new SessionKey("bob", name)).addItems(Items.of("one"));
        });
    clock().advance(LATER);
    while (store().sweep(1000) > 0) {
      // until nothing is left
    }

    for (String name : ways.keySet()) {
      assertThat(store().info(new SessionKey("ann", name))).as(name).isPresent();
      assertThat(store().info(new SessionKey("bob", name))).as("not on hold").isEmpty();
    }
  }

  @Test
  default void aHoldOnASessionThatIsMadeLater_keepsItFromExpiring() {
    openWith(options().with(Duration.ofHours(1)));
    SessionStore guarded = new HoldingStore(store());
    new LegalHolds(guarded).place("ann", Optional.of("later"), "case 17", clock());
    StoredSession session = guarded.session(new SessionKey("ann", "later"));
    session.addItems(Items.of("one"));

    assertKept(session, 1, "later");
  }

  @Test
  default void aHoldThatIsPlacedWhileSessionsAreMade_missesNone() {
    openWith(options().with(Duration.ofHours(1)));
    SessionStore guarded = new HoldingStore(store());
    AtomicInteger made = new AtomicInteger();
    Future<?> writer =
        Crowd.EXECUTOR.submit(
            () -> {
              while (made.get() < 60) {
                guarded.session(new SessionKey("ann", "s" + made.get())).addItems(Items.of("one"));
                made.incrementAndGet();
              }
            });
    Await.until(() -> "some sessions", () -> made.get() >= 20);
    new LegalHolds(guarded).place("ann", Optional.empty(), "case 17", clock());
    Await.value(writer);
    clock().advance(LATER);
    store().sweep(1000);

    assertThat(store().list(SessionQuery.of("ann").limit(100)).sessions()).hasSize(60);
  }

  @Test
  default void aHold_countsWhereTheStoreWasOpenedWithAnotherTimeToLive() {
    StoredSession session = held(new HoldingStore(store()), Optional.empty(), "ann");
    if (restart(options().with(Duration.ofHours(1)))) {
      assertKept(store().session(session.key()), 2, "ann");
    }
  }

  @Test
  default void removingOldSessions_leavesThoseOnHold() {
    SessionStore guarded = new HoldingStore(store());
    StoredSession session = held(guarded, Optional.of("held"), "ann");
    guarded.session(new SessionKey("ann", "old")).addItems(Items.of("one"));
    clock().advance(LATER);

    SessionManager sessions = new SessionManager(guarded, "ann", 10, clock());
    assertThat(sessions.cleanup(Duration.ofDays(1))).isEqualTo(1);
    assertKept(session, 2, "held");
  }

  @Test
  default void aReceipt_doesNotSayThatANewSessionWasThere() {
    StoredSession session = newSession();
    HistoryTransaction one = HistoryTransaction.append(Items.of("one"));

    assertThat(session.apply(one).existed()).isFalse();
    session.apply(one);
    store().delete(session.key());
    assertThat(session.apply(one).existed()).as("after it was deleted").isFalse();
    session.update(SessionUpdate.none().timeToLive(Duration.ofHours(1)));
    clock().advance(Duration.ofHours(2));
    assertThat(session.apply(one).existed()).as("after it expired").isFalse();
  }

  private void assertKept(StoredSession session, int items, String how) {
    clock().advance(LATER);
    store().sweep(1000);
    assertThat(store().session(session.key()).getItems()).as(how).hasSize(items);
  }
}
