package dev.clew.sqlite;

import dev.clew.ClewException;
import java.sql.SQLException;
import org.sqlite.SQLiteException;

/** Turns the driver's errors into Clew's. Immutable and thread-safe. */
record SqliteErrors(String where) {
  private static final int PRIMARY_MASK = 0xff;
  private static final int ERROR = 1;
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int IOERR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANTOPEN = 14;
  private static final int AUTH = 23;
  private static final int NOTADB = 26;
  private static final int IOERR_FSYNC = IOERR | (4 << 8);
  private static final int IOERR_DIR_FSYNC = IOERR | (5 << 8);

  /** Whether a sync failed; nothing may be acknowledged after that. */
  static boolean isFailedSync(SQLException e) {
    // The vendor code of the driver's exceptions is cut to its last byte, which is IOERR for both.
    int code = e instanceof SQLiteException known ? known.getResultCode().code : e.getErrorCode();
    return code == IOERR_FSYNC || code == IOERR_DIR_FSYNC;
  }

  /** Whether another connection holds the lock. */
  static boolean isBusy(SQLException e) {
    int code = e.getErrorCode() & PRIMARY_MASK;
    return code == BUSY || code == LOCKED;
  }

  /** Whether a file that cannot be written had to be written. */
  static boolean isNotWritable(SQLException e) {
    int code = e.getErrorCode() & PRIMARY_MASK;
    return code == READONLY || code == CANTOPEN;
  }

  /** Whether the disk failed. */
  static boolean isDiskError(SQLException e) {
    return (e.getErrorCode() & PRIMARY_MASK) == IOERR;
  }

  ClewException unavailable(SQLException e) {
    String what =
        switch (e.getErrorCode() & PRIMARY_MASK) {
          case BUSY, LOCKED ->
              "another program has held the lock for too long; look for one that keeps a"
                  + " transaction open, or raise the busy timeout";
          case READONLY -> "it is read-only; make the file and its folder writable";
          case FULL -> "the disk is full; free some space and try again, nothing was lost";
          case CANTOPEN ->
              "it cannot be opened; check that this user may read and write the file and its folder";
          case AUTH -> "access was denied";
          case CORRUPT -> "the file is damaged; restore a backup";
          case NOTADB -> "the file is not a SQLite database; choose another path";
          case IOERR -> "the disk reported an error; check the disk, then open the store again";
          default -> "SQLite says: " + e.getMessage();
        };
    int code = e.getErrorCode() & PRIMARY_MASK;
    boolean retryable = code == BUSY || code == LOCKED || code == FULL || code == IOERR;
    String note = code == ERROR ? "" : " (" + e.getMessage() + ")";
    return new ClewException.StoreUnavailable(where + ": " + what + note, e, retryable);
  }

  ClewException closed() {
    return new ClewException.Closed(where + " is closed; open it again");
  }
}
