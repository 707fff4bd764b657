package dev.clew.postgres;

import dev.clew.ClewException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns the driver's and the pool's errors into Clew's. Immutable and thread-safe. */
record PostgresErrors(String where, Duration deadline) {
  private static final Set<String> LOCK_TROUBLE = Set.of("40P01", "40001", "55P03");

  /** Whether another try may succeed; this one wrote nothing. */
  static boolean isPassing(SQLException e) {
    String state = state(e);
    return isLost(e) || isPoolEmpty(e) || LOCK_TROUBLE.contains(state) || state.equals("53300");
  }

  private static boolean isPoolEmpty(SQLException e) {
    return e instanceof SQLTransientConnectionException && root(e) == e;
  }

  /** Whether the connection is lost or the server is down. */
  static boolean isLost(SQLException e) {
    String state = state(e);
    return (state.startsWith("08") && !isUnknownHost(e)) || state.startsWith("57P");
  }

  /** Whether a COMMIT that failed like this certainly had no effect. */
  static boolean isRolledBack(SQLException e) {
    String state = state(e);
    return state.startsWith("40") || state.startsWith("23") || state.equals("25P02");
  }

  /** The SQL state of the cause: a pool only reports that it waited in vain. */
  private static String state(SQLException e) {
    String state = root(e).getSQLState();
    return state == null ? "" : state;
  }

  private static SQLException root(SQLException e) {
    return e instanceof SQLTransientConnectionException && e.getCause() instanceof SQLException c
        ? c
        : e;
  }

  private static boolean isUnknownHost(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  ClewException unavailable(SQLException e) {
    SQLException root = root(e);
    String state = state(e);
    String what;
    boolean retryable = true;
    if (isUnknownHost(e)) {
      what = "the host is unknown; check its name in the URL, and the name service";
      retryable = false;
    } else if (isPoolEmpty(e)) {
      what =
          "all connections were in use for "
              + deadline.toMillis()
              + " ms; raise the size of the pool (pool_size), or look for calls that take long";
    } else {
      what = byState(state, root);
      retryable = isPassing(e) || state.equals("53100") || state.equals("57014");
    }
    String note = root.getMessage() == null ? "" : " (" + root.getMessage().strip() + ")";
    return new ClewException.StoreUnavailable(where + ": " + what + note, e, retryable);
  }

  private String byState(String state, SQLException root) {
    return switch (state) {
      case "28P01", "28000" -> "the server refused user and password; check them in the URL";
      case "3D000" -> "the database does not exist; create it, or name another in the URL";
      case "42501" -> "a permission is missing; grant it to the user, see docs/postgres.md";
      case "3F000", "42P01" ->
          "the tables are missing; open with migrate=apply, or have 'clew schema postgres' applied";
      case "25006" ->
          "the server is read-only, as a standby is; connect to the primary, or reset"
              + " default_transaction_read_only";
      case "53100" -> "the server's disk is full; free some space and try again, nothing was lost";
      case "53300" -> "the server has no connection left; lower pool_size or raise max_connections";
      case "53200" -> "the server is out of memory; try again later";
      case "57014" ->
          "the server cancelled a statement that took longer than "
              + deadline.toMillis()
              + " ms; try again, or raise the deadline";
      case "40P01", "40001", "55P03" ->
          "others kept the session locked for "
              + deadline.toMillis()
              + " ms; look for a program that keeps a transaction open";
      default ->
          state.startsWith("08")
                  || state.startsWith("57P")
                  || root.getCause() instanceof IOException
              ? "the server cannot be reached; start it, and check host and port in the URL"
              : "PostgreSQL says " + state;
    };
  }

  ClewException unavailable(String reason) {
    return new ClewException.StoreUnavailable(where + ": " + reason, null, false);
  }

  ClewException outcomeUnknown(SQLException e) {
    return new ClewException.OutcomeUnknown(
        where
            + ": the connection was lost while committing; the write may or may not be there,"
            + " read again or repeat it with the same operation id",
        e);
  }

  /** The write did not start, because those before it took all of its time. */
  ClewException tooLate(@Nullable ClewException before) {
    return new ClewException.StoreUnavailable(
        before != null
            ? String.valueOf(before.getMessage())
            : where
                + ": the write had to wait for longer than "
                + deadline.toMillis()
                + " ms and was not done; the server is slow, try again",
        before);
  }

  ClewException closed() {
    return new ClewException.Closed(where + " is closed; open it again");
  }
}
