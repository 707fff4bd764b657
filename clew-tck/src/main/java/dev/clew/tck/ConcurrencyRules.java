package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What several threads see of each other. */
@Rule(
    "each call takes effect at one moment between its beginning and its end, all of it "
        + "or nothing, whatever other threads do")
interface ConcurrencyRules extends StoreFixture {

  @Test
  @Rule(
      "what each thread has read is a beginning of one log that all appends are in. A "
          + "store that is sound but slow may run it with fewer operations: "
          + "-Dclew.tck.operations=1500")
  default void whatEightThreadsAppendAndRead_fitsOneLogThatOnlyGrows() {
    StoredSession session = newSession();
    // A store that does with a part of the random sequences does with that part here, too.
    int operations = (int) ((long) Settings.operations() * sequences() / Settings.seeds());
    AtomicInteger left = new AtomicInteger(operations);
    History history = new History();
    Crowd.of(
        8,
        Await.LONG_DEADLINE,
        () -> {
          int done = operations - Math.max(0, left.get());
          return done + " of " + operations + " operations were done";
        },
        thread -> {
          Client client = new Client("client" + thread, session, history);
          for (int i = 1; left.getAndDecrement() > 0; i++) {
            // Reading everything each time would make a long run quadratic.
            client.appendOrRead(i % 60 == 0 && i > 1000 ? 3 : i);
          }
          return thread;
        });

    List<String> log = History.ids(session.getItems(Integer.MAX_VALUE));
    assertThat(HistoryChecker.check(history, log)).as(history.toString()).isEmpty();
    assertThat(log).hasSizeGreaterThan(operations / 2);
  }

  @Test
  default void batchesOfConcurrentWriters_areNeverTornApart() {
    StoredSession session = newSession();
    Crowd.of(
        8,
        thread -> {
          for (int i = 0; i < 15; i++) {
            session.addItems(History.batch(thread + "-" + i, 5));
          }
          return thread;
        });

    List<String> log = History.ids(session.getItems());
    assertThat(log).hasSize(8 * 15 * 5);
    for (int at = 0; at < log.size(); at += 5) {
      String batch = log.get(at).substring(0, log.get(at).indexOf('#'));
      assertThat(log.subList(at, at + 5)).isEqualTo(History.ids(History.batch(batch, 5)));
    }
  }

  @Test
  default void concurrentAppends_getPositionsAndVersionsOfTheirOwn() {
    StoredSession session = newSession();
    List<Receipt> receipts =
        Crowd.of(
                6,
                thread ->
                    Stream.generate(() -> Items.of("one", "two"))
                        .limit(20)
                        .map(items -> session.commit(Commit.append(items)))
                        .toList())
            .stream()
            .flatMap(List::stream)
            .toList();

    assertThat(receipts).extracting(Receipt::version).doesNotHaveDuplicates();
    List<Long> firsts = new ArrayList<>();
    List<Long> positions = Items.positions(session);
    for (Receipt receipt : receipts) {
      int at = positions.indexOf(receipt.firstPosition().orElseThrow());
      assertThat(at).isNotNegative();
      assertThat(positions.get(at + 1)).isEqualTo(receipt.lastPosition().orElseThrow());
      firsts.add(positions.get(at));
    }
    assertThat(firsts).doesNotHaveDuplicates();
    assertThat(positions).hasSize(240);
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(240);
  }

  @Test
  default void concurrentFirstWriters_makeOneSession() {
    for (int round = 0; round < 10; round++) {
      SessionKey key = newKey();
      Crowd.of(
          6,
          thread -> {
            store().session(key).addItems(Items.of("by " + thread));
            return thread;
          });

      assertThat(store().session(key).getItems()).hasSize(6);
      assertThat(store().session(key).info().orElseThrow().itemCount()).isEqualTo(6);
    }
  }

  @Test
  default void writersOfDifferentSessions_doNotDisturbEachOther() {
    List<StoredSession> sessions = Stream.generate(this::newSession).limit(8).toList();
    Crowd.of(
        8,
        thread -> {
          StoredSession mine = sessions.get(thread);
          for (int i = 0; i < 25; i++) {
            mine.addItems(Items.of(thread + "/" + i));
            assertThat(mine.getItems(1)).isEqualTo(Items.of(thread + "/" + i));
          }
          return thread;
        });

    for (int thread = 0; thread < 8; thread++) {
      assertThat(sessions.get(thread).getItems()).hasSize(25);
      assertThat(Items.texts(sessions.get(thread).getItems())).allMatch(isOf(thread));
    }
  }

  @Test
  default void popsAndAppendsAtOnce_loseAndDoubleNothing() {
    StoredSession session = newSession();
    List<List<Item>> results =
        Crowd.of(
            6,
            thread -> {
              List<Item> mine = new ArrayList<>();
              for (int i = 0; i < 40; i++) {
                if (thread % 2 == 0) {
                  Item item = Item.user(thread + "/" + i);
                  session.addItems(List.of(item));
                  mine.add(item);
                } else {
                  session.popItem().ifPresent(mine::add);
                }
              }
              return mine;
            });
    List<Item> added = new ArrayList<>();
    List<Item> left = new ArrayList<>(session.getItems());
    for (int thread = 0; thread < 6; thread++) {
      (thread % 2 == 0 ? added : left).addAll(results.get(thread));
    }

    assertThat(left).doesNotHaveDuplicates();
    assertThat(new HashSet<>(left)).isEqualTo(new HashSet<>(added));
  }

  @Test
  default void deletesAndAppendsAtOnce_leaveAWholeSessionOrNone() {
    StoredSession session = newSession();
    Crowd.of(
        4,
        thread -> {
          for (int i = 0; i < 30; i++) {
            if (thread == 0) {
              session.clearSession();
            } else {
              session.addItems(Items.of("a", "b", "c"));
            }
          }
          return thread;
        });

    List<Item> items = session.getItems();
    assertThat(items.size() % 3).isZero();
    assertThat(session.info().map(info -> info.itemCount()).orElse(0L)).isEqualTo(items.size());
    session.clearSession();
    assertThat(session.getItems()).isEmpty();
  }

  private static Predicate<String> isOf(int thread) {
    return text -> text.startsWith(thread + "/");
  }
}
