package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException.VersionConflict;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.tck.History;
import dev.clew.tck.History.Outcome;
import dev.clew.tck.HistoryChecker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads on one session: what each of them is told fits one order of events. */
class ConcurrencyTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = Soak.times(3, 12);
  private static final int OPERATIONS = Soak.times(1_000, 2_500);
  private static final long SEED = Long.getLong("clew.seed", System.nanoTime());

  @TempDir Path folder;
  private final List<SqliteStore> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(SqliteStore::close);
  }

  private SqliteStore open(String path) {
    SqliteStore store = SqliteStore.open(path);
    opened.add(store);
    return store;
  }

  private String file() {
    return folder.resolve("concurrent.db").toString();
  }

  // ---- histories

  @Test
  void readsAndAppendsOnAFileFitOneOrder() {
    assertOneOrder(List.of(open(file())));
  }

  @Test
  void readsAndAppendsInMemoryFitOneOrder() {
    assertOneOrder(List.of(open(":memory:")));
  }

  @Test
  void readsAndAppendsThroughSeveralStoresOnAFileFitOneOrder() {
    assertOneOrder(List.of(open(file()), open(file()), open(file())));
  }

  @Test
  void readsAndAppendsWithoutACacheFitOneOrder() {
    SqliteStore store = SqliteStore.builder(file()).cacheBytes(0).open();
    opened.add(store);
    assertOneOrder(List.of(store));
  }

  private static void assertOneOrder(List<SqliteStore> stores) {
    for (int round = 0; round < ROUNDS; round++) {
      String session = "s" + round;
      History history = new History();
      AtomicInteger left = new AtomicInteger(OPERATIONS);
      Wait.together(
          THREADS,
          thread -> {
            Random random = new Random(SEED + thread);
            SqliteStore store = stores.get(thread % stores.size());
            Client client = new Client(store.session(session), history, "c" + thread);
            while (left.getAndDecrement() > 0) {
              client.step(random);
            }
            return true;
          });
      List<String> log = History.ids(stores.get(0).session(session).getItems());
      assertThat(HistoryChecker.check(history, log))
          .as("clew.seed=%d, %s", SEED, history)
          .isEmpty();
    }
    Soak.figure("operations in one order", (long) ROUNDS * OPERATIONS);
  }

  /** One client of a session, and what it did and saw. */
  private static final class Client {
    private final StoredSession session;
    private final History history;
    private final String name;
    private int batches;

    Client(StoredSession session, History history, String name) {
      this.session = session;
      this.history = history;
      this.name = name;
    }

    void step(Random random) {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> append(1 + random.nextInt(4));
        case 3, 4 -> read(() -> session.getItems(1 + random.nextInt(40)), false);
        case 5 -> read(() -> session.getItems(200), false); // more than is cached
        case 6 -> read(() -> session.entries(Range.latest(20)).items(), false);
        default -> {
          if (random.nextInt(10) == 0) {
            read(session::getItems, true);
          } else {
            readAPage();
          }
        }
      }
    }

    private void append(int size) {
      String batch = name + "." + batches++;
      history.invoke(name, batch, size, System.nanoTime());
      session.addItems(History.batch(batch, size));
      history.end(batch, Outcome.OK, System.nanoTime());
    }

    private void read(Supplier<List<Item>> read, boolean whole) {
      long from = System.nanoTime();
      List<Item> items = read.get();
      history.read(name, from, System.nanoTime(), whole, History.ids(items));
    }

    /** A page in the middle: no entry is there twice or out of order. */
    private void readAPage() {
      EntryPage page = session.entries(Range.first(50));
      assertThat(page.entries()).extracting(Entry::position).isSorted().doesNotHaveDuplicates();
    }
  }

  // ---- pops

  @Test
  void everyItemIsPoppedByOneOrLeftOver() {
    int turns = Soak.times(150, 3_000);
    SqliteStore store = open(file());
    StoredSession session = store.session("s");
    List<List<String>> popped =
        Wait.together(
            THREADS,
            thread -> {
              List<String> mine = new ArrayList<>();
              for (int turn = 0; turn < turns; turn++) {
                if (thread % 2 == 0) {
                  session.addItems(History.batch(thread + "." + turn, 2));
                } else {
                  Optional<Item> item = session.popItem();
                  item.ifPresent(found -> mine.addAll(History.ids(List.of(found))));
                }
              }
              return mine;
            });
    List<String> all = new ArrayList<>(History.ids(session.getItems()));
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(all.size());
    popped.forEach(all::addAll);
    assertThat(all)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, THREADS / 2)
                .boxed()
                .flatMap(
                    writer ->
                        IntStream.range(0, turns)
                            .boxed()
                            .flatMap(
                                turn ->
                                    Stream.of(0, 1).map(i -> 2 * writer + "." + turn + "#" + i)))
                .toList());
  }

  // ---- conditions

  @Test
  void whoExpectsAVersionWinsOnceForEachVersion() {
    int turns = Soak.times(60, 1_000);
    for (SqliteStore store : List.of(open(file()), open(":memory:"))) {
      StoredSession session = store.session("counter");
      List<Integer> conflicts =
          Wait.together(
              4,
              thread -> {
                int lost = 0;
                for (int done = 0; done < turns; ) {
                  long version = session.info().map(SessionInfo::version).orElse(0L);
                  int number = session.getItems().size();
                  try {
                    session.commit(
                        Commit.append(List.of(Item.user("number " + number)))
                            .expectVersion(version));
                    done++;
                  } catch (VersionConflict e) {
                    lost++;
                  }
                }
                return lost;
              });
      assertThat(session.getItems())
          .as("conflicts %s", conflicts)
          .isEqualTo(
              IntStream.range(0, 4 * turns).mapToObj(i -> Item.user("number " + i)).toList());
    }
  }

  @Test
  void aConflictInABatchOfCommitsDisturbsNoneOfItsNeighbours() {
    int turns = Soak.times(40, 3_000);
    SqliteStore store = open(file());
    List<Integer> refused =
        Wait.together(
            THREADS,
            thread -> {
              int conflicts = 0;
              for (int turn = 0; turn < turns; turn++) {
                Commit append = Commit.append(History.batch(thread + "." + turn, 2));
                try {
                  store
                      .session("s")
                      .commit(turn % 3 == 0 ? append.expectVersion(1_000_000_000) : append);
                } catch (VersionConflict e) {
                  conflicts++;
                }
              }
              return conflicts;
            });
    assertThat(refused).containsOnly((turns + 2) / 3);
    List<String> log = History.ids(store.session("s").getItems());
    assertThat(log).hasSize(THREADS * 2 * (turns - (turns + 2) / 3)).doesNotHaveDuplicates();
  }

  @Test
  void theSameOperationFromManyThreadsTakesEffectOnce() {
    SqliteStore store = open(file());
    for (int round = 0; round < Soak.times(20, 500); round++) {
      String operation = "op-" + round;
      List<Boolean> repeated =
          Wait.together(
              THREADS,
              thread ->
                  store
                      .session("s")
                      .commit(Commit.append(History.batch(operation, 2)).operationId(operation))
                      .repeated());
      assertThat(repeated).containsOnlyOnce(false);
    }
    assertThat(History.ids(store.session("s").getItems())).doesNotHaveDuplicates();
  }

  // ---- compaction

  @Test
  void aCompactionLosesNothingThatIsAppendedMeanwhile() {
    int turns = Soak.times(150, 3_000);
    SqliteStore store = open(file());
    StoredSession session = store.session("s");
    session.addItems(History.batch("first", 1));
    List<List<String>> written =
        Wait.together(
            4,
            thread -> {
              List<String> mine = new ArrayList<>();
              for (int turn = 0; turn < turns; turn++) {
                if (thread == 0) {
                  compact(session);
                } else {
                  String batch = thread + "." + turn;
                  session.addItems(History.batch(batch, 2));
                  mine.add(batch + "#0");
                  mine.add(batch + "#1");
                  assertThat(session.getItems(5)).isNotEmpty();
                }
              }
              return mine;
            });
    List<String> whole =
        History.ids(session.entries(Range.first(1_000_000).withCompacted()).items());
    for (List<String> mine : written) {
      assertThat(whole.stream().filter(mine::contains).toList()).isEqualTo(mine);
    }
    assertThat(whole.stream().filter(id -> !id.startsWith("sum"))).doesNotHaveDuplicates();
    assertThat(session.info().orElseThrow().itemCount()).isEqualTo(session.getItems().size());
  }

  private static void compact(StoredSession session) {
    List<Entry> entries = session.entries(Range.first(5)).entries();
    session.commit(
        Commit.replacePrefix(entries.get(entries.size() - 1).position(), History.batch("sum", 1)));
  }

  @Test
  void readersSeeTheOldOrTheNewHistoryNeverAMixture() {
    int rounds = Soak.times(100, 3_000);
    for (SessionStore store : List.of(open(file()), open(":memory:"))) {
      StoredSession session = store.session("s");
      session.addItems(History.batch("gen0", 6));
      AtomicInteger done = new AtomicInteger();
      Wait.together(
          4,
          thread -> {
            if (thread == 0) {
              for (int round = 1; round <= rounds; round++) {
                long upTo = session.entries(Range.latest(1)).entries().get(0).position();
                session.commit(Commit.dropPrefix(upTo, History.batch("gen" + round, 6)));
              }
              done.set(1);
            } else {
              while (done.get() == 0) {
                List<Item> items = thread == 1 ? session.getItems() : session.getItems(10);
                assertThat(History.ids(items)).hasSize(6);
                String generation = History.ids(items).get(0).replaceFirst("#.*", "");
                assertThat(items).isEqualTo(History.batch(generation, 6));
              }
            }
            return true;
          });
    }
  }
}
