package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;

/** Writes that are committed together, when something goes wrong with one of them or with all. */
class CommitterTest {
  @TempDir Path folder;
  private final FailingDriver driver = new FailingDriver();
  private Connections connections;
  private final AtomicLong now = new AtomicLong(1_000);
  private Committer committer;
  private ExecutorService threads;

  @BeforeEach
  void open() {
    SqliteErrors errors = new SqliteErrors("the store");
    connections = new Connections(SmallDisk.options(folder.resolve("a.db")), errors, driver);
    connections.prepare();
    committer = new Committer(connections, Synchronous.FULL, errors, now::get, null);
    threads = Executors.newCachedThreadPool(Wait::daemon);
  }

  @AfterEach
  void close() {
    committer.close();
    connections.close();
    threads.shutdownNow();
  }

  private static Committer.Write<Integer> put(String name) {
    return tx -> tx.db.update("INSERT INTO {our}meta (name, value) VALUES (?, 1)", name);
  }

  private List<String> names() {
    return connections.read(
        db ->
            db.all(
                "SELECT name FROM {our}meta WHERE name LIKE 'w%' ORDER BY name",
                row -> row.getString(1)));
  }

  /**
   * Commits all writes as one batch: a first write goes on when the others wait, and takes them in.
   * Each future fails as its write did.
   */
  private List<Future<Integer>> asOneBatch(List<Committer.Write<Integer>> writes) {
    CountDownLatch leads = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<Integer> leader =
        threads.submit(
            () ->
                committer.commit(
                    tx -> {
                      leads.countDown();
                      Wait.open("the batch waits", goOn);
                      return 0;
                    }));
    Wait.open("there is a leader", leads);
    List<Future<Integer>> futures = new ArrayList<>();
    List<Thread> waiting = new ArrayList<>();
    for (Committer.Write<Integer> write : writes) {
      CountDownLatch started = new CountDownLatch(1);
      futures.add(
          threads.submit(
              () -> {
                synchronized (waiting) {
                  waiting.add(Thread.currentThread());
                }
                started.countDown();
                return committer.commit(write);
              }));
      Wait.open("the thread runs", started);
    }
    Wait.until(
        "all wait for the leader",
        () -> {
          synchronized (waiting) {
            return waiting.stream().allMatch(t -> t.getState() == Thread.State.WAITING);
          }
        });
    goOn.countDown();
    Wait.until("the leader is done", leader::isDone);
    return futures;
  }

  @Test
  void aWriteThatJoinsABatchIsNotFromBeforeItWasAskedFor() throws Exception {
    CountDownLatch leads = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<Long> leader =
        threads.submit(
            () ->
                committer.commit(
                    tx -> {
                      leads.countDown();
                      Wait.open("another one waits", goOn);
                      return tx.now;
                    }));
    Wait.open("there is a leader", leads);
    now.set(2_000);
    CompletableFuture<Thread> joining = new CompletableFuture<>();
    Future<Long> joined =
        threads.submit(
            () -> {
              joining.complete(Thread.currentThread());
              return committer.commit(tx -> tx.now);
            });
    Thread thread = joining.get();
    Wait.until("it waits", () -> thread.getState() == Thread.State.WAITING);
    goOn.countDown();
    assertThat(leader.get()).isEqualTo(1_000);
    assertThat(joined.get()).isEqualTo(2_000);
  }

  private static long sync(Tx tx) throws SQLException {
    return tx.db.number(-1, "PRAGMA synchronous");
  }

  @Test
  void onlyWhatMeansNothingAfterAPowerLossIsCommittedWithoutASync() {
    long full = 2;
    long normal = 1;
    assertThat(committer.commit(CommitterTest::sync)).isEqualTo(full);
    assertThat(committer.commitUnsynced(CommitterTest::sync)).isEqualTo(normal);
    assertThat(committer.commitUnsynced(CommitterTest::sync)).isEqualTo(normal);
    assertThat(committer.commit(CommitterTest::sync)).isEqualTo(full);
    assertThatThrownBy(
            () ->
                committer.commitUnsynced(
                    tx -> {
                      throw new IllegalStateException("refused");
                    }))
        .hasMessage("refused");
    assertThat(committer.commit(CommitterTest::sync)).isEqualTo(full);
    committer.commitUnsynced(put("w1"));
    assertThat(names()).containsExactly("w1");
  }

  @Test
  void writesThatWaitTogetherAreCommittedTogether() {
    int before = driver.commits.get();
    asOneBatch(List.of(put("w1"), put("w2"), put("w3"), put("w4"))).forEach(Wait::value);

    assertThat(names()).containsExactly("w1", "w2", "w3", "w4");
    assertThat(driver.commits.get() - before).as("with the leader's own").isEqualTo(1);
  }

  @Test
  void aWriteThatIsRefusedDoesNotDisturbItsNeighbours() {
    List<Future<Integer>> results =
        asOneBatch(
            List.of(
                put("w1"),
                tx -> {
                  put("w-half").run(tx);
                  throw new ClewException.VersionConflict("not this one");
                },
                put("w2"),
                tx -> {
                  throw new SQLException("no such thing");
                },
                put("w3")));

    Wait.value(results.get(0));
    assertThatThrownBy(() -> Wait.value(results.get(1)))
        .isInstanceOf(ClewException.VersionConflict.class);
    Wait.value(results.get(2));
    assertThatThrownBy(() -> Wait.value(results.get(3)))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    Wait.value(results.get(4));
    assertThat(names()).containsExactly("w1", "w2", "w3");
  }

  @Test
  @Timeout(60)
  void anErrorInOneWriteLeavesNobodyWaitingAndNothingHalfDone() {
    List<Future<Integer>> results =
        asOneBatch(
            List.of(
                put("w1"),
                tx -> {
                  put("w-half").run(tx);
                  throw new StackOverflowError("far too deep");
                },
                put("w2")));

    Wait.value(results.get(0));
    assertThatThrownBy(() -> Wait.value(results.get(1)))
        .hasRootCauseInstanceOf(StackOverflowError.class);
    Wait.value(results.get(2));
    committer.commit(put("w3"));
    assertThat(names()).containsExactly("w1", "w2", "w3");
  }

  @Test
  void afterAFailedSyncNothingIsAcknowledgedUntilTheStoreIsOpenedAgain() {
    committer.commit(put("w1"));
    driver.failWith(SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    assertThatThrownBy(() -> committer.commit(put("w2")))
        .isInstanceOf(ClewException.OutcomeUnknown.class)
        .hasMessageContainingAll("the store", "failed to sync", "open the store again");

    driver.failWith(SQLiteErrorCode.SQLITE_OK); // as the kernel does, which reports it once
    assertThatThrownBy(() -> committer.commit(put("w3")))
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContainingAll("the store", "failed to sync", "open the store again")
        .satisfies(e -> assertThat(((ClewException) e).retryable()).isFalse());
    assertThat(names()).contains("w1").doesNotContain("w3");
  }

  @Test
  void everyWriteOfABatchWhoseSyncFailedHasAnUnknownOutcome() {
    List<Committer.Write<Integer>> writes = new ArrayList<>();
    for (String name : List.of("w1", "w2", "w3")) {
      writes.add(
          tx -> {
            driver.failWith(SQLiteErrorCode.SQLITE_IOERR_FSYNC);
            return put(name).run(tx);
          });
    }
    for (Future<Integer> result : asOneBatch(writes)) {
      assertThatThrownBy(() -> Wait.value(result)).isInstanceOf(ClewException.OutcomeUnknown.class);
    }
  }

  @Test
  void aFullDiskFailsTheWriteAndNothingElse() {
    committer.commit(put("w1"));
    driver.failWith(SQLiteErrorCode.SQLITE_FULL);
    assertThatThrownBy(() -> committer.commit(put("w2")))
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContainingAll("the store", "disk is full", "free some space")
        .satisfies(e -> assertThat(((ClewException) e).retryable()).isTrue());

    driver.failWith(SQLiteErrorCode.SQLITE_OK);
    committer.commit(put("w3"));
    assertThat(names()).containsExactly("w1", "w3");
  }

  @Test
  void aDiskThatFailsAtTheCommitLeavesTheOutcomeOpenAndTheStoreUsable() {
    driver.failWith(SQLiteErrorCode.SQLITE_IOERR_WRITE);
    assertThatThrownBy(() -> committer.commit(put("w1")))
        .isInstanceOf(ClewException.OutcomeUnknown.class)
        .hasMessageContainingAll("the store", "check the disk", "may or may not be there");

    driver.failWith(SQLiteErrorCode.SQLITE_OK);
    committer.commit(put("w2"));
    assertThat(names()).containsExactly("w2");
  }

  @Test
  void anInterruptedThreadStillLearnsHowItsWriteEnded() {
    Thread.currentThread().interrupt();
    committer.commit(put("w1"));
    assertThat(Thread.interrupted()).as("it is still told that it was interrupted").isTrue();
    assertThat(names()).containsExactly("w1");
  }

  @Test
  @Timeout(60)
  void whoComesWhileItClosesIsToldSo() {
    for (int round = 0; round < Soak.times(300, 5_000); round++) {
      SqliteErrors errors = new SqliteErrors("the store");
      Committer closing = new Committer(connections, Synchronous.FULL, errors, now::get, null);
      Wait.together(
          4,
          number -> {
            if (number == 0) {
              closing.close();
              return true;
            }
            try {
              return closing.commit(tx -> true);
            } catch (ClewException.Closed e) {
              return false;
            }
          });
    }
  }
}
