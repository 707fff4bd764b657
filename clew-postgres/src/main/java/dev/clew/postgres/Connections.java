package dev.clew.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.clew.ClewException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work on connections of a pool, within a deadline. Thread-safe.
 *
 * <p>After a lost connection, a deadlock or a lock that is held for long, work runs again on
 * another connection: nothing has been written before COMMIT is sent. A failed COMMIT has an
 * unknown outcome and is not repeated.
 */
final class Connections implements Reads {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  /** How long a statement waits for a row, and its batch with it. */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(1);

  private static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(60);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
  private static final long FIRST_PAUSE_NANOS = 5_000_000;
  private static final long LONGEST_PAUSE_NANOS = 200_000_000;
  private static final int NETWORK_SLACK_MILLIS = 1_000;

  private enum Mode {
    READ,
    SNAPSHOT,
    WRITE
  }

  private final PostgresOptions options;
  private final PostgresErrors errors;
  private final DataSource pool;
  private final DataSource direct;
  private final @Nullable HikariDataSource owned;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean closed;

  private Connections(
      PostgresOptions options,
      PostgresErrors errors,
      DataSource pool,
      DataSource direct,
      @Nullable HikariDataSource owned) {
    this.options = options;
    this.errors = errors;
    this.pool = pool;
    this.direct = direct;
    this.owned = owned;
  }

  /** Uses the application's pool, which is never closed. */
  static Connections borrowed(
      PostgresOptions options, PostgresErrors errors, DataSource dataSource) {
    return new Connections(options, errors, dataSource, dataSource, null);
  }

  /** Creates a pool. */
  static Connections pooled(PostgresOptions options, PostgresErrors errors, DataSource direct) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("clew-postgres");
    config.setDataSource(direct);
    config.setMaximumPoolSize(options.poolSize());
    config.setMinimumIdle(1);
    config.setConnectionTimeout(poolWait(options.deadline()).toMillis());
    config.setValidationTimeout(poolWait(options.deadline()).toMillis());
    config.setKeepaliveTime(Duration.ofMinutes(2).toMillis());
    config.setConnectionInitSql(limits("SET", options.deadline()));
    config.setInitializationFailTimeout(-1);
    // The pool would log the error, and keep trying until the timeout.
    try {
      direct.getConnection().close();
    } catch (SQLException e) {
      throw errors.unavailable(e);
    }
    HikariDataSource pool = new HikariDataSource(config);
    return new Connections(options, errors, pool, direct, pool);
  }

  /** How long one try waits for the pool; several fit into the deadline. */
  private static Duration poolWait(Duration deadline) {
    return Duration.ofMillis(Math.max(250, deadline.toMillis() / 5));
  }

  private static String limits(String set, Duration deadline) {
    return String.join(
        "; ",
        set + " statement_timeout = " + deadline.toMillis(),
        set + " lock_timeout = " + Math.min(LOCK_WAIT.toMillis(), deadline.toMillis()),
        set + " idle_in_transaction_session_timeout = " + IDLE_IN_TRANSACTION.toMillis());
  }

  @Override
  public <T> T read(Work<T> work) {
    return run(Mode.READ, work, deadline());
  }

  @Override
  public <T> T snapshot(Work<T> work) {
    return run(Mode.SNAPSHOT, work, deadline());
  }

  /** A transaction; returns when it is committed. */
  <T> T write(Work<T> work) {
    return run(Mode.WRITE, work, deadline());
  }

  /** A transaction with a deadline on {@link System#nanoTime}. */
  <T> T write(Work<T> work, long deadline) {
    return run(Mode.WRITE, work, deadline);
  }

  /** A transaction that is tried once. */
  <T> T writeOnce(Work<T> work, long deadline) {
    inFlight.incrementAndGet();
    try {
      requireOpen();
      return attempt(Mode.WRITE, work, deadline);
    } catch (SQLException e) {
      throw unavailable(e);
    } finally {
      inFlight.decrementAndGet();
    }
  }

  /** The deadline of an operation that starts now. */
  long deadline() {
    return System.nanoTime() + options.deadline().toNanos();
  }

  private <T> T run(Mode mode, Work<T> work, long deadline) {
    inFlight.incrementAndGet();
    try {
      long pause = FIRST_PAUSE_NANOS;
      while (true) {
        requireOpen();
        try {
          return attempt(mode, work, deadline);
        } catch (SQLException e) {
          if (closed || !PostgresErrors.isPassing(e) || isTooLate(deadline)) {
            throw unavailable(e);
          }
        }
        LockSupport.parkNanos(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2));
        pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
      }
    } finally {
      inFlight.decrementAndGet();
    }
  }

  /** Whether another try could miss the deadline, because it may wait for the pool. */
  private boolean isTooLate(long deadline) {
    return System.nanoTime() + poolWait(options.deadline()).toNanos() > deadline;
  }

  private void requireOpen() {
    if (closed) {
      throw errors.closed();
    }
  }

  private <T> T attempt(Mode mode, Work<T> work, long deadline) throws SQLException {
    Connection connection = pool.getConnection();
    try {
      guard(connection, deadline);
      Db db = new Db(connection, options.names());
      if (mode == Mode.READ) {
        return work.run(db);
      }
      return mode == Mode.SNAPSHOT ? snapshot(connection, db, work) : write(connection, db, work);
    } finally {
      giveBack(connection);
    }
  }

  /** Never throws: a committed transaction must not be repeated because of a later error. */
  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection could not be given back; the pool drops it", e);
    }
  }

  /** Keeps a silent server from blocking a caller beyond the deadline. */
  private static void guard(Connection connection, long deadline) throws SQLException {
    long left = Math.max(0, (deadline - System.nanoTime()) / 1_000_000);
    int millis = (int) Math.min(Integer.MAX_VALUE, left + NETWORK_SLACK_MILLIS);
    try {
      connection.setNetworkTimeout(Runnable::run, millis);
    } catch (java.sql.SQLFeatureNotSupportedException e) {
      // The statement timeout of the server has to do.
    }
  }

  private <T> T snapshot(Connection connection, Db db, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    try {
      db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
      return work.run(db);
    } finally {
      end(connection);
    }
  }

  private <T> T write(Connection connection, Db db, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    try {
      if (owned == null) {
        db.execute(limits("SET LOCAL", options.deadline()));
      }
      T result = work.run(db);
      commit(connection);
      return result;
    } finally {
      end(connection);
    }
  }

  private void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (PostgresErrors.isRolledBack(e)) {
        throw e;
      }
      throw errors.outcomeUnknown(e);
    }
  }

  /** Rolls back what was not committed, if anything. */
  private static void end(Connection connection) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      LOG.debug("a connection broke; the pool drops it", e);
    }
  }

  /**
   * A connection owned by the caller, outside of the pool and its limits.
   *
   * @throws SQLException if none can be opened
   */
  Connection extra() throws SQLException {
    requireOpen();
    return direct.getConnection();
  }

  Db db(Connection connection) {
    return new Db(connection, options.names());
  }

  ClewException unavailable(SQLException e) {
    return closed ? errors.closed() : errors.unavailable(e);
  }

  boolean isReadOnly() {
    return options.opening().isReadOnly();
  }

  /** Waits for running work, then closes a pool of our own. */
  void close() {
    closed = true;
    long deadline = System.nanoTime() + CLOSE_PATIENCE.toNanos();
    while (inFlight.get() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    if (owned != null) {
      owned.close();
    }
  }
}
