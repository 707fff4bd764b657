package dev.clew.sqlite;

import dev.clew.ClewException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits writes, those that wait together in one transaction. Thread-safe.
 *
 * <p>With {@code synchronous=FULL} the disk's sync is most of the cost of a commit, so it pays to
 * share it. There is no writer thread: the first thread that comes leads and commits for everybody
 * who waits, then hands on. Who comes while the leader runs the statements of the others still
 * joins the transaction, so that threads which were just woken come back while there is something
 * to do meanwhile. A thread that is alone pays for nothing but its own statements; one that had
 * company yields to it for up to {@value #GATHER_NANOS} ns before it commits. Tried and rejected: a
 * writer thread (a hand-over costs a lone thread a quarter of its speed), a lock (nothing is
 * shared), a background checkpoint (a growing log makes each sync dearer), gathering before the
 * first statement (half of the threads come too late and the batches stay half as large), spinning
 * without yielding (takes a core from those it waits for).
 *
 * <p>A write that fails must not take others with it: a batch with a failure is rolled back and
 * each write of it is run again by itself.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final int MAX_BATCH = 256;
  private static final long GATHER_NANOS = 100_000;
  private static final int CHECK_LOG_EVERY = 16;
  private static final long MAX_LOG_BYTES = 1_000L * (4096 + 24);

  /** Readers that come and go are gone by then; for one that stays it is not worth to wait. */
  private static final Duration LOG_PATIENCE = Duration.ofMillis(50);

  private static final long RIVAL_MEMORY_NANOS = 50_000_000;
  private static final long RIVAL_PAUSE_NANOS = 400_000;

  /**
   * A write. It may be run again after a rollback, so it must have no effect but on the database.
   */
  interface Write<T> {
    T run(Tx tx) throws SQLException;
  }

  private static final class Job<T> {
    final Write<T> write;
    final Thread thread = Thread.currentThread();
    @Nullable T result;
    @Nullable Throwable error;
    volatile boolean done;

    Job(Write<T> write) {
      this.write = write;
    }

    void run(Tx tx) throws SQLException {
      result = write.run(tx);
    }

    void finish(@Nullable Throwable failure) {
      error = failure;
      done = true;
    }
  }

  private final Connections connections;
  private final SqliteErrors errors;
  private final Supplier<Long> clock;
  private final @Nullable Path log;
  private final ConcurrentLinkedQueue<Job<?>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean leading = new AtomicBoolean();
  private final AtomicLong commits = new AtomicLong();
  private volatile @Nullable RuntimeException poison;
  private volatile boolean closed;

  // Used by the leader only.
  private int company = 1;
  private int sinceLogCheck;
  private long foreignVersion = -1;
  private long rivalSeenAt = Long.MIN_VALUE;
  private boolean rivals;

  Committer(
      Connections connections, SqliteErrors errors, Supplier<Long> clock, @Nullable Path log) {
    this.connections = connections;
    this.errors = errors;
    this.clock = clock;
    this.log = log;
  }

  /** Runs the write in a transaction and returns when it is committed. */
  <T> T commit(Write<T> write) {
    if (closed) {
      throw errors.closed();
    }
    Job<T> job = new Job<>(write);
    waiting.add(job);
    boolean interrupted = false;
    while (!job.done) {
      if (leading.compareAndSet(false, true)) {
        List<Job<?>> batch = new ArrayList<>();
        try {
          lead(batch);
        } finally {
          leading.set(false);
          wakeNext();
        }
        // Only now, so that the first of them who comes back with a write can lead at once.
        for (Job<?> led : batch) {
          if (led != job) {
            LockSupport.unpark(led.thread);
          }
        }
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (job.error instanceof Error thrown) {
      throw thrown;
    }
    if (job.error != null) {
      throw (RuntimeException) job.error;
    }
    return Objects.requireNonNull(job.result, "a write returns something");
  }

  /**
   * How many commits there were. Counted while the connection is still ours, so that in memory
   * nobody reads what was committed before it counts.
   */
  long commits() {
    return commits.get();
  }

  private void wakeNext() {
    Job<?> next = waiting.peek();
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }

  /** Commits what waits; those who waited are still to be woken. */
  private void lead(List<Job<?>> batch) {
    drain(batch);
    if (!batch.isEmpty()) { // else done by the leader before us, between our look and our lead
      runBatch(batch);
      company = batch.size() + waiting.size();
    }
  }

  /**
   * Takes in who came while the others were written. If there is nobody, but more are about, waits
   * for one; how much is left of the time for that.
   */
  @SuppressWarnings("ThreadPriorityCheck") // it only says who may go first on a busy machine
  private long gather(List<Job<?>> batch, long patience) {
    int before = batch.size();
    drain(batch);
    if (batch.size() > before || before >= company || rivals) {
      return patience;
    }
    long start = System.nanoTime();
    long waited = 0;
    while (batch.size() == before && waited < patience) {
      Thread.yield(); // to those we wait for
      drain(batch);
      waited = System.nanoTime() - start;
    }
    return patience - waited;
  }

  private void drain(List<Job<?>> batch) {
    while (batch.size() < MAX_BATCH) {
      Job<?> job = waiting.poll();
      if (job == null) {
        return;
      }
      batch.add(job);
    }
  }

  private void runBatch(List<Job<?>> batch) {
    Throwable failure = attempt(batch, true);
    if (failure == null || batch.size() == 1 || failure instanceof ClewException.OutcomeUnknown) {
      batch.forEach(job -> job.finish(failure));
    } else {
      for (Job<?> job : batch) {
        job.finish(attempt(List.of(job), false));
      }
    }
  }

  /** Runs the jobs in one transaction; what went wrong, if anything did. */
  private @Nullable Throwable attempt(List<Job<?>> batch, boolean mayGrow) {
    RuntimeException earlier = poison;
    if (earlier != null) {
      return earlier;
    }
    if (closed) {
      return errors.closed();
    }
    try {
      letRivalsIn();
      Tx tx = connections.write(db -> transaction(db, batch, mayGrow));
      tx.committed();
      return null;
    } catch (SQLException e) {
      return errors.unavailable(e);
    } catch (RuntimeException | Error e) {
      // An error too: if it ended the leader here, those it leads would wait for ever.
      return e;
    }
  }

  private Tx transaction(Db db, List<Job<?>> batch, boolean mayGrow) throws SQLException {
    boolean committing = false;
    try {
      db.prepare("BEGIN IMMEDIATE").execute();
      lookForRivals(db);
      // 0 marks a session row that another program made, so we are never at time 0.
      Tx tx = new Tx(db, Math.max(1, clock.get()));
      long patience = GATHER_NANOS;
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).run(tx);
        if (mayGrow && i == batch.size() - 1) {
          patience = gather(batch, patience);
        }
      }
      tx.beforeCommit();
      committing = true;
      db.prepare("COMMIT").execute();
      commits.incrementAndGet();
      keepLogShort(db);
      return tx;
    } catch (SQLException e) {
      rollback(db);
      if (SqliteErrors.isFailedSync(e)) {
        throw failedSync(e);
      }
      if (committing && SqliteErrors.isDiskError(e)) {
        // It may have come after the last frame was written, and then a crash brings it back.
        throw new ClewException.OutcomeUnknown(
            errors.unavailable(e).getMessage() + "; this write may or may not be there", e);
      }
      throw e;
    } catch (RuntimeException | Error e) {
      rollback(db);
      throw e;
    }
  }

  private static void rollback(Db db) {
    try {
      db.prepare("ROLLBACK").execute();
    } catch (SQLException e) {
      // SQLite has rolled back by itself, as it does after some errors.
    }
    db.forgetStatements();
  }

  /*
   * After a failed sync the kernel may have dropped the dirty pages and report success the next time,
   * so a later acknowledgement would mean nothing. What was in this batch may or may not be there.
   */
  private RuntimeException failedSync(SQLException e) {
    String message =
        errors.where() + ": the disk failed to sync; check it, then open the store again";
    poison = new ClewException.StoreUnavailable(message, e, false);
    return new ClewException.OutcomeUnknown(message + "; this write may or may not be there", e);
  }

  private void lookForRivals(Db db) throws SQLException {
    long version = db.number(0, "PRAGMA data_version");
    long now = System.nanoTime();
    if (foreignVersion >= 0 && version != foreignVersion) {
      rivals = true;
      rivalSeenAt = now;
    } else if (rivals && now - rivalSeenAt > RIVAL_MEMORY_NANOS) {
      rivals = false;
    }
    foreignVersion = version;
  }

  /** SQLite's lock is not fair: who has just let it go gets it back unless he waits a little. */
  private void letRivalsIn() {
    if (rivals) {
      LockSupport.parkNanos(
          RIVAL_PAUSE_NANOS / 2 + ThreadLocalRandom.current().nextLong(RIVAL_PAUSE_NANOS / 2));
    }
  }

  /** Readers can keep SQLite from starting its log anew; past a length we insist. */
  private void keepLogShort(Db db) {
    if (log == null || ++sinceLogCheck < CHECK_LOG_EVERY) {
      return;
    }
    sinceLogCheck = 0;
    try {
      if (Files.size(log) > MAX_LOG_BYTES) {
        db.numberWithin(LOG_PATIENCE, "PRAGMA wal_checkpoint(TRUNCATE)");
      }
    } catch (IOException | SQLException e) {
      // The commit stands; the next look tries again.
      LOG.debug("{}: could not shorten the log", errors.where(), e);
    }
  }

  /** Runs what cannot be part of a transaction, while those of this process who write wait. */
  void alone(String statement) {
    awaitLead();
    try {
      if (closed) {
        throw errors.closed();
      }
      connections.write(
          db -> {
            db.execute(statement);
            return db;
          });
    } catch (SQLException e) {
      throw SqliteErrors.isFailedSync(e) ? failedSync(e) : errors.unavailable(e);
    } finally {
      leading.set(false);
      wakeNext();
    }
  }

  private void awaitLead() {
    while (!leading.compareAndSet(false, true)) {
      LockSupport.parkNanos(100_000);
    }
  }

  /** Fails what still waits and waits for the batch in progress. */
  void close() {
    closed = true;
    awaitLead();
    try {
      for (Job<?> job = waiting.poll(); job != null; job = waiting.poll()) {
        job.finish(errors.closed());
        LockSupport.unpark(job.thread);
      }
    } finally {
      leading.set(false);
      wakeNext(); // one that came after the queue was empty and found us leading
    }
  }
}
