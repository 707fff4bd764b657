package dev.clew.sqlite;

import static org.sqlite.SQLiteErrorCode.SQLITE_AUTH;
import static org.sqlite.SQLiteErrorCode.SQLITE_BUSY;
import static org.sqlite.SQLiteErrorCode.SQLITE_CANTOPEN;
import static org.sqlite.SQLiteErrorCode.SQLITE_CORRUPT;
import static org.sqlite.SQLiteErrorCode.SQLITE_ERROR;
import static org.sqlite.SQLiteErrorCode.SQLITE_FULL;
import static org.sqlite.SQLiteErrorCode.SQLITE_IOERR;
import static org.sqlite.SQLiteErrorCode.SQLITE_IOERR_DIR_FSYNC;
import static org.sqlite.SQLiteErrorCode.SQLITE_IOERR_FSYNC;
import static org.sqlite.SQLiteErrorCode.SQLITE_LOCKED;
import static org.sqlite.SQLiteErrorCode.SQLITE_NOTADB;
import static org.sqlite.SQLiteErrorCode.SQLITE_READONLY;

import dev.clew.ClewException;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Turns the driver's errors into Clew's. Immutable and thread-safe. */
record SqliteErrors(String where) {
  /** The driver keeps only the last byte of a code as the vendor code of its exceptions. */
  private static SQLiteErrorCode code(SQLException e) {
    return SQLiteErrorCode.getErrorCode(e.getErrorCode() & 0xff);
  }

  /** Whether a sync failed; nothing may be acknowledged after that. */
  static boolean isFailedSync(SQLException e) {
    int code = e instanceof SQLiteException known ? known.getResultCode().code : e.getErrorCode();
    return code == SQLITE_IOERR_FSYNC.code || code == SQLITE_IOERR_DIR_FSYNC.code;
  }

  /** Whether another connection holds the lock. */
  static boolean isBusy(SQLException e) {
    return code(e) == SQLITE_BUSY || code(e) == SQLITE_LOCKED;
  }

  /** Whether a file that cannot be written had to be written. */
  static boolean isNotWritable(SQLException e) {
    return code(e) == SQLITE_READONLY || code(e) == SQLITE_CANTOPEN;
  }

  /** Whether the disk failed. */
  static boolean isDiskError(SQLException e) {
    return code(e) == SQLITE_IOERR;
  }

  ClewException unavailable(SQLException e) {
    SQLiteErrorCode code = code(e);
    String what =
        switch (code) {
          case SQLITE_BUSY, SQLITE_LOCKED ->
              "another program has held the lock for too long; look for one that keeps a"
                  + " transaction open, or raise the busy timeout";
          case SQLITE_READONLY -> "it is read-only; make the file and its folder writable";
          case SQLITE_FULL -> "the disk is full; free some space and try again, nothing was lost";
          case SQLITE_CANTOPEN ->
              "it cannot be opened; check that this user may read and write the file and its folder";
          case SQLITE_AUTH -> "access was denied";
          case SQLITE_CORRUPT -> "the file is damaged; restore a backup";
          case SQLITE_NOTADB -> "the file is not a SQLite database; choose another path";
          case SQLITE_IOERR ->
              "the disk reported an error; check the disk, then open the store again";
          default -> "SQLite says: " + e.getMessage();
        };
    boolean retryable = isBusy(e) || isDiskError(e) || code == SQLITE_FULL;
    String note = code == SQLITE_ERROR ? "" : " (" + e.getMessage() + ")";
    return new ClewException.StoreUnavailable(where + ": " + what + note, e, retryable);
  }

  ClewException closed() {
    return new ClewException.Closed(where + " is closed; open it again");
  }
}
