package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Leases.Grant;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Closing a store. */
@Rule(
    "after close every call throws ClewException.Closed, also one that was waiting; "
        + "close may be repeated")
interface ClosingRules extends StoreFixture {

  @Test
  default void everyCallAfterClose_failsWithClosed() {
    SessionStore store = store();
    SessionKey key = newKey();
    StoredSession session = store.session(key);
    session.addItems(Items.of("one"));
    Grant grant = store.leases().tryAcquire(key, "turn", "x", Duration.ofMinutes(1)).orElseThrow();
    store.close();

    calls(store, key, grant)
        .forEach(
            (name, call) ->
                assertThatThrownBy(call).as(name).isInstanceOf(ClewException.Closed.class));
  }

  private static Map<String, ThrowingCallable> calls(
      SessionStore store, SessionKey key, Grant grant) {
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("read", () -> store.session(key).entries(Range.latest(1)));
    calls.put("items", () -> store.session(key).getItems(5));
    calls.put("find", () -> store.session(key).find("msg_1"));
    calls.put("apply", () -> store.session(key).commit(Commit.append(Items.of("late"))));
    calls.put("removeLast", () -> store.session(key).removeLast());
    calls.put("delete", () -> store.session(key).delete());
    calls.put("fork", () -> store.session(key).forkTo(SessionKey.of("fork"), 1));
    calls.put("info", () -> store.session(key).info());
    calls.put("update", () -> store.session(key).update(SessionUpdate.none().title("late")));
    calls.put("list", () -> store.list(SessionQuery.of("")));
    calls.put("owners", () -> store.owners(Optional.empty(), 5));
    calls.put("watch", () -> store.session(key).watch(0, event -> {}).close());
    calls.put("erase", () -> store.erase("ann"));
    calls.put("sweep", () -> store.sweep(5));
    calls.put("check", () -> store.check(finding -> {}));
    calls.put("ping", store::ping);
    Duration minute = Duration.ofMinutes(1);
    calls.put("tryAcquire", () -> store.leases().tryAcquire(key, "other", "y", minute));
    calls.put("renew", () -> store.leases().renew(grant, minute));
    calls.put("holder", () -> store.leases().holder(key, "turn"));
    calls.put("get", () -> store.documents().get("ann", "r"));
    calls.put(
        "put",
        () -> store.documents().put("ann", "r", "{}", OptionalLong.empty(), Optional.empty()));
    calls.put("delete of a record", () -> store.documents().delete("ann", "r"));
    calls.put("list of records", () -> store.documents().list("ann", "", Optional.empty(), 5));
    calls.put("search", () -> store.search(SearchQuery.of("", "late")));
    return calls;
  }

  @EachFlavour
  default void everyOperationOfASessionAfterClose_failsWithClosed(Flavour flavour) {
    StoredSession stored = newSession();
    var session = flavour.of(stored);
    session.addItems(Items.of("one"));
    store().close();

    List<ThrowingCallable> calls =
        List.of(
            session::getItems,
            () -> session.getItems(1),
            () -> session.addItems(Items.of("late")),
            session::popItem,
            session::clearSession);
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(ClewException.Closed.class);
    }
  }

  @Test
  default void close_mayBeRepeated() {
    SessionStore store = store();
    store.close();
    store.close();

    assertThatThrownBy(store::ping).isInstanceOf(ClewException.Closed.class);
  }

  @Test
  default void close_byManyThreadsAtOnce_closesOnce() {
    SessionStore store = store();
    newSession().addItems(Items.of("one"));
    Crowd.of(
        6,
        thread -> {
          store.close();
          return thread;
        });

    assertThatThrownBy(store::ping).isInstanceOf(ClewException.Closed.class);
  }

  @Test
  default void callsInFlightWhenTheStoreIsClosed_finishOrFailWithClosed() {
    SessionStore store = store();
    SessionKey key = newKey();
    CountDownLatch busy = new CountDownLatch(5);
    List<List<Item>> acknowledged =
        Crowd.of(
            6,
            thread -> {
              List<Item> mine = new ArrayList<>();
              if (thread == 0) {
                Await.open("all writers have written", busy);
                store.close();
                return mine;
              }
              try {
                for (int i = 0; ; i++) {
                  Item item = Item.user(thread + "/" + i);
                  store.session(key).addItems(List.of(item));
                  mine.add(item);
                  if (i == 0) {
                    busy.countDown();
                  }
                  store.session(key).getItems(3);
                }
              } catch (ClewException.Closed e) {
                return mine;
              }
            });

    boolean durable = restart();
    List<Item> found = store().session(key).getItems();
    assertThat(found).doesNotHaveDuplicates();
    for (List<Item> mine : acknowledged.subList(1, 6)) {
      assertThat(mine).isNotEmpty();
      if (durable) {
        assertThat(Items.texts(found)).containsSubsequence(Items.texts(mine));
      }
    }
  }

  @Test
  default void anOpenStore_answersAPing() {
    store().ping();
    newSession().addItems(Items.of("one"));
    store().ping();

    assertThat(store().traits().capabilities()).doesNotContainNull();
  }
}
