package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.kit.GroupCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits writes; those that wait at the same time share a transaction, see {@link GroupCommit}.
 * Thread-safe.
 *
 * <p>If a write fails, its batch is rolled back and each write runs again in a transaction of its
 * own. Tried and rejected: checkpoints in the background, because a growing log makes each sync
 * slower.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final int CHECK_LOG_EVERY = 16;
  private static final long MAX_LOG_BYTES = 1_000L * (4096 + 24);

  /** A short read is over by then; a long-lived reader is not worth waiting for. */
  private static final Duration LOG_PATIENCE = Duration.ofMillis(50);

  /** A write. It may run again after a rollback, so it must change nothing but the database. */
  interface Write<T> {
    T run(Tx tx) throws SQLException;
  }

  private static final class Job<T> extends GroupCommit.Job {
    final Write<T> write;
    final boolean synced;
    @Nullable T result;

    Job(Write<T> write, boolean synced) {
      this.write = write;
      this.synced = synced;
    }

    void run(Tx tx) throws SQLException {
      result = write.run(tx);
    }

    T result() {
      return Objects.requireNonNull(result, "a write returns something");
    }
  }

  private final Connections connections;
  private final Synchronous synchronous;
  private final SqliteErrors errors;
  private final Supplier<Long> clock;
  private final @Nullable Path log;
  private final GroupCommit<Job<?>> group;
  private final AtomicLong commits = new AtomicLong();
  private volatile @Nullable RuntimeException poison;

  // Used by the leader only.
  private int sinceLogCheck;
  private long longestLog = MAX_LOG_BYTES;
  private final Fairness fairness = new Fairness();
  private @Nullable Db unsynced; // the connection with sync turned off

  Committer(
      Connections connections,
      Synchronous synchronous,
      SqliteErrors errors,
      Supplier<Long> clock,
      @Nullable Path log) {
    this.connections = connections;
    this.synchronous = synchronous;
    this.errors = errors;
    this.clock = clock;
    this.log = log;
    this.group = new GroupCommit<>(this::runBatch, errors::closed);
  }

  /** Runs the write in a transaction and returns when it is committed. */
  <T> T commit(Write<T> write) {
    return commit(new Job<>(write, true));
  }

  /**
   * The same without a sync of its own: it survives a killed process, but perhaps not a power loss.
   */
  <T> T commitUnsynced(Write<T> write) {
    return commit(new Job<>(write, false));
  }

  private <T> T commit(Job<T> job) {
    group.run(job);
    return job.result();
  }

  /**
   * Starts the write in a transaction without waiting for it.
   *
   * @param then runs after the commit and returns the result
   */
  <T, R> CompletableFuture<R> commitLater(Write<T> write, Function<T, R> then) {
    Job<T> job = new Job<>(write, true);
    CompletableFuture<R> result = new CompletableFuture<>();
    group.submit(
        job,
        () -> {
          Throwable failure = job.failure();
          if (failure != null) {
            result.completeExceptionally(failure);
            return;
          }
          try {
            result.complete(then.apply(job.result()));
          } catch (RuntimeException | Error e) { // the future must complete
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /**
   * The number of commits. Counted while the connection is held, so that in memory no reader sees a
   * commit before it counts.
   */
  long commits() {
    return commits.get();
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

  /** Runs the jobs in one transaction; returns the error, if any. */
  private @Nullable Throwable attempt(List<Job<?>> batch, boolean mayGrow) {
    RuntimeException earlier = poison;
    if (earlier != null) {
      return earlier;
    }
    if (group.isClosed()) {
      return errors.closed();
    }
    try {
      connections.requireFile(false);
      fairness.standBack();
      connections.write(db -> transaction(db, batch, mayGrow));
      return null;
    } catch (SQLException e) {
      return errors.unavailable(e);
    } catch (RuntimeException | Error e) {
      // Errors too: if the leader ended here, the writes of its batch would wait forever.
      return e;
    }
  }

  private boolean transaction(Db db, List<Job<?>> batch, boolean mayGrow) throws SQLException {
    boolean committing = false;
    boolean synced = batch.stream().anyMatch(job -> job.synced);
    try {
      setSync(db, synced);
      long askedAt = System.nanoTime();
      db.prepare("BEGIN IMMEDIATE").execute();
      fairness.locked(db, askedAt);
      Tx.Batch writes = new Tx.Batch(db);
      for (int i = 0; i < batch.size(); i++) {
        // Time 0 marks a session row that another program made.
        batch.get(i).run(new Tx(writes, Math.max(1, clock.get())));
        // Whether to sync is decided by now, and a late write may need it.
        if (mayGrow && synced && i == batch.size() - 1) {
          group.gather(batch, !fairness.rivals());
        }
      }
      writes.beforeCommit();
      committing = true;
      db.prepare("COMMIT").execute();
      commits.incrementAndGet();
      keepLogShort(db);
      fairness.released();
      return true;
    } catch (SQLException e) {
      rollback(db);
      if (SqliteErrors.isFailedSync(e)) {
        throw failedSync(e);
      }
      if (committing && SqliteErrors.isDiskError(e)) {
        // If the last frame was written, a crash brings the commit back.
        throw new ClewException.OutcomeUnknown(
            errors.unavailable(e).getMessage() + "; this write may or may not be there", e);
      }
      throw e;
    } catch (RuntimeException | Error e) {
      rollback(db);
      throw e;
    }
  }

  private void setSync(Db db, boolean synced) throws SQLException {
    if (synced == (unsynced != db) || synchronous != Synchronous.FULL) {
      return;
    }
    db.execute("PRAGMA synchronous = " + (synced ? synchronous : Synchronous.NORMAL));
    unsynced = synced ? null : db;
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

  /**
   * Readers can keep SQLite from reusing its log; past a length we wait for them. If they did not
   * end in time, the log has to grow by as much again before the next attempt.
   */
  private void keepLogShort(Db db) {
    if (log == null || ++sinceLogCheck < CHECK_LOG_EVERY) {
      return;
    }
    sinceLogCheck = 0;
    try {
      long length = Files.size(log);
      if (length <= longestLog) {
        return;
      }
      long busy = db.numberWithin(LOG_PATIENCE, "PRAGMA wal_checkpoint(TRUNCATE)");
      longestLog = busy == 0 ? MAX_LOG_BYTES : Math.min(2 * length, 16 * MAX_LOG_BYTES);
    } catch (IOException | SQLException e) {
      // The commit stands; the next one tries again.
      LOG.debug("{}: could not shorten the log", errors.where(), e);
    }
  }

  /** Runs a statement outside a transaction, while writes of this process wait. */
  void alone(String statement) {
    group.alone(
        () -> {
          connections.requireFile(true);
          try {
            connections.write(
                db -> {
                  // VACUUM copies the whole file, which must not happen in memory.
                  db.execute("PRAGMA temp_store = FILE");
                  try {
                    db.execute(statement);
                  } finally {
                    db.execute("PRAGMA temp_store = MEMORY");
                  }
                  return db;
                });
          } catch (SQLException e) {
            throw SqliteErrors.isFailedSync(e) ? failedSync(e) : errors.unavailable(e);
          }
        });
  }

  /** Fails the writes that still wait, then waits for the batch in progress. */
  void close() {
    group.close();
  }
}
