package dev.clew.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One write in a transaction. Not thread-safe. */
final class Tx {
  private static final DateTimeFormatter SQL_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  /** Formatting is slow, and each append needs it twice. */
  private static volatile @Nullable Second lastSecond;

  final Db db;

  /** When this write began; writes may join a batch later. */
  final long now;

  private final Batch batch;

  Tx(Batch batch, long now) {
    this.db = batch.db;
    this.batch = batch;
    this.now = now;
  }

  /** What the writes of one transaction share. Not thread-safe. */
  static final class Batch {
    private final Db db;
    private final Map<String, SessionHead> heads = new HashMap<>();
    private long lastNumber = -1;
    private long lastSaved = -1;
    private boolean quiet;

    Batch(Db db) {
      this.db = db;
    }

    void beforeCommit() throws SQLException {
      if (lastNumber > lastSaved) {
        db.update("UPDATE sqlite_sequence SET seq = ? WHERE name = '{messages}'", lastNumber);
      }
      if (quiet) {
        db.update("DELETE FROM {our}meta WHERE name = 'quiet'");
      }
    }
  }

  /** The sessions after the appends of this batch. */
  Map<String, SessionHead> heads() {
    return batch.heads;
  }

  /** The next number of the sequence that gives both positions and versions. */
  long nextNumber() throws SQLException {
    if (batch.lastNumber < 0) {
      batch.lastNumber = db.number(0, "SELECT seq FROM sqlite_sequence WHERE name = '{messages}'");
      batch.lastSaved = batch.lastNumber;
    }
    return ++batch.lastNumber;
  }

  /** Called after an insert with this id, which has advanced the sequence by itself. */
  void saved(long number) {
    batch.lastSaved = Math.max(batch.lastSaved, number);
  }

  /** Silences the triggers until the end of the batch, because we do their work. */
  void keepTriggersQuiet() throws SQLException {
    if (!batch.quiet) {
      db.update("INSERT INTO {our}meta (name, value) VALUES ('quiet', 1)");
      batch.quiet = true;
    }
  }

  /** Records a change that is not an append; its number becomes the version of the session. */
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
