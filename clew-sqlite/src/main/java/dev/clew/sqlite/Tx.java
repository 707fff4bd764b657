package dev.clew.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A write transaction in progress: its connection, its time, and its numbers. Not thread-safe;
 * lives as long as one batch of the {@link Committer}.
 */
final class Tx {
  private static final DateTimeFormatter SQL_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  /** Formatting takes a while, and is asked for twice in each append. */
  private static volatile @Nullable Second lastSecond;

  final Db db;

  /** When the write that runs now began: those that join a batch later are not from before. */
  long now;

  /** Sessions after the appends of this batch. */
  final Map<String, SessionHead> heads = new HashMap<>();

  private long lastNumber = -1;
  private long lastSaved = -1;
  private boolean quiet;

  Tx(Db db) {
    this.db = db;
  }

  /** The next number of the sequence that gives both positions and versions. */
  long nextNumber() throws SQLException {
    if (lastNumber < 0) {
      lastNumber = db.number(0, "SELECT seq FROM sqlite_sequence WHERE name = '{messages}'");
      lastSaved = lastNumber;
    }
    return ++lastNumber;
  }

  /** An insert with this number as id has moved the sequence along by itself. */
  void saved(long number) {
    lastSaved = Math.max(lastSaved, number);
  }

  /** From here to the end the triggers keep still, because we do the bookkeeping. */
  void keepTriggersQuiet() throws SQLException {
    if (!quiet) {
      db.update("INSERT INTO {our}meta (name, value) VALUES ('quiet', 1)");
      quiet = true;
    }
  }

  /** Notes a change that is not an append; its number becomes the session's version. */
  long change(String sessionId, String kind, long position) throws SQLException {
    long number = nextNumber();
    db.update(
        "INSERT INTO {our}changes (seq, session_id, kind, position) VALUES (?, ?, ?, ?)",
        number,
        sessionId,
        kind,
        position);
    return number;
  }

  void beforeCommit() throws SQLException {
    if (lastNumber > lastSaved) {
      db.update("UPDATE sqlite_sequence SET seq = ? WHERE name = '{messages}'", lastNumber);
    }
    if (quiet) {
      db.update("DELETE FROM {our}meta WHERE name = 'quiet'");
    }
  }

  /** A time as {@code CURRENT_TIMESTAMP} writes it. */
  static String sqlTime(long millis) {
    long second = Math.floorDiv(millis, 1000);
    Second last = lastSecond;
    if (last == null || last.number() != second) {
      last = new Second(second, SQL_TIME.format(Instant.ofEpochSecond(second)));
      lastSecond = last;
    }
    return last.text();
  }

  private record Second(long number, String text) {}
}
