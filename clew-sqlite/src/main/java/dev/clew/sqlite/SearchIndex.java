package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.kit.SearchText;
import dev.clew.kit.Sha256;
import dev.clew.kit.text.SearchPhrases;
import dev.clew.kit.text.Segmenter;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The full-text index, derived from the messages and updated a little later. Thread-safe.
 *
 * <p>Appends do not touch it, because that would halve their speed. New rows are those above the
 * mark {@code indexed} in {@code clew_meta}; other changed rows are listed in {@code
 * clew_unindexed}, also by the triggers. Both are processed in the background, at most {@value
 * #BATCH} rows in a transaction. A search reads a short backlog itself and indexes a long one
 * first, so that searches do not make writers wait.
 *
 * <p>The index holds the terms of {@link Segmenter}, so that single Chinese characters are found,
 * and the owner as another term, so that a search never scans the words of other owners. Each hit
 * is checked against its message, so the index keeps no text. It has no ranking: its statistics
 * cover all owners, and a score would reveal what others wrote.
 */
final class SearchIndex {
  private static final int BATCH = 100;

  /** The most text to index at once, unless a single item is larger: writers wait meanwhile. */
  private static final long BATCH_CHARS = 256 << 10;

  private static final Duration BEFORE_SEARCH = Duration.ofMillis(500);

  /** How many rows of all owners may wait without a search indexing them first. */
  private static final int SHORT_BACKLOG = 200;

  private static final long NOT_A_POSITION = Long.MIN_VALUE;
  private static final Logger LOG = LoggerFactory.getLogger(SearchIndex.class);

  private final Connections connections;
  private final Committer committer;
  private final Clock clock;
  private final ReentrantLock working = new ReentrantLock();
  private volatile boolean looked;

  SearchIndex(Connections connections, Committer committer, Clock clock) {
    this.connections = connections;
    this.committer = committer;
    this.clock = clock;
  }

  private record Fresh(long position, String owner, String terms) {}

  /** A message, and the session it is in. */
  record Found(String sessionId, Entry entry) {}

  /** A row above the mark, not yet split into terms. */
  private record Unread(long position, String sessionId, @Nullable Item item) {
    Fresh fresh() {
      return new Fresh(position, ownerTerm(sessionId), terms(item));
    }
  }

  /** How many rows are not indexed yet. */
  enum Backlog {
    NONE,
    SHORT,
    LONG
  }

  /** The amount of text read so far. */
  static final class Amount {
    private final long most;
    private long chars;

    Amount(long most) {
      this.most = most;
    }

    void add(@Nullable Item item) {
      chars += item == null ? 0 : item.json().length();
    }

    boolean isEnough() {
      return chars >= most;
    }
  }

  /** Queues a message that was changed or removed. */
  static void forget(Tx tx, long position) throws SQLException {
    tx.db.update("INSERT OR IGNORE INTO {our}unindexed (position) VALUES (?)", position);
  }

  /** Queues all messages up to a position. */
  static void forgetPrefix(Tx tx, String sessionId, long upTo) throws SQLException {
    tx.db.update(
        "INSERT OR IGNORE INTO {our}unindexed (position)"
            + " SELECT id FROM {messages} WHERE session_id = ? AND id <= ?",
        sessionId,
        upTo);
  }

  /** Indexes for at most this long; returns whether nothing is left. */
  boolean catchUp(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    boolean mine = false;
    try {
      // Two threads that index the same rows would waste the work of one.
      mine = working.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS);
      while (mine && step()) {
        if (System.nanoTime() > deadline) {
          return false;
        }
      }
      return mine;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      if (mine) {
        working.unlock();
      }
    }
  }

  /** Indexes one batch; returns whether there was anything to do. */
  boolean step() {
    long mark = connections.read(SearchIndex::mark);
    boolean changed = connections.read(db -> db.exists("SELECT 1 FROM {our}unindexed LIMIT 1"));
    List<Unread> above = connections.read(db -> above(db, mark));
    if (!changed && above.isEmpty()) {
      return false;
    }
    // Split into terms here, where no connection or transaction waits.
    List<Fresh> fresh = above.stream().map(Unread::fresh).toList();
    committer.commitUnsynced(tx -> write(tx, mark, fresh)); // a lost step is done again
    return true;
  }

  /** Whether anything was ever indexed. */
  boolean isStarted() {
    return connections.read(SearchIndex::mark) > 0;
  }

  /** The position up to which messages are indexed, unless they changed since. */
  static long mark(Db db) throws SQLException {
    return db.number(0, "SELECT value FROM {our}meta WHERE name = 'indexed'");
  }

  /** The next rows above the mark. */
  private static List<Unread> above(Db db, long mark) throws SQLException {
    Amount amount = new Amount(BATCH_CHARS);
    return db.until(
        amount::isEnough,
        "SELECT id, session_id, message_data, "
            + Rows.CRC
            + " FROM {messages} WHERE id > ? ORDER BY id LIMIT "
            + BATCH,
        row -> {
          Item item = Rows.item(row.getBytes(3), row.getLong(4));
          amount.add(item);
          return new Unread(row.getLong(1), row.getString(2), item);
        },
        mark);
  }

  /*
   * Rows read above the mark may have changed by now, and other threads or processes may have
   * indexed them. They count only if the mark has not moved. Then the mark moves past them, and
   * changed rows up to the mark are indexed again, so no deleted text gets into the index.
   */
  private static Boolean write(Tx tx, long read, List<Fresh> fresh) throws SQLException {
    long mark = mark(tx.db);
    if (mark == read && !fresh.isEmpty()) {
      for (Fresh row : fresh) {
        insert(tx, row);
      }
      mark = fresh.get(fresh.size() - 1).position();
    } else if (!hasRowsAbove(tx.db, mark)) {
      // Everything above the mark was deleted before it was indexed.
      mark = Math.max(mark, tx.db.number(0, "SELECT max(position) FROM {our}unindexed"));
    }
    tx.db.update("UPDATE {our}meta SET value = ? WHERE name = 'indexed'", mark);
    redo(tx, mark);
    return true;
  }

  private static boolean hasRowsAbove(Db db, long mark) throws SQLException {
    return db.exists("SELECT 1 FROM {messages} WHERE id > ? LIMIT 1", mark);
  }

  private static void redo(Tx tx, long mark) throws SQLException {
    List<Long> positions =
        tx.db.all(
            "SELECT position FROM {our}unindexed WHERE position <= ? LIMIT " + BATCH,
            row -> row.getLong(1),
            mark);
    Amount amount = new Amount(BATCH_CHARS);
    for (long position : positions) {
      if (amount.isEnough()) {
        return;
      }
      tx.db.update("DELETE FROM {our}search WHERE rowid = ?", position);
      Optional<Found> found = find(tx.db, position);
      if (found.isPresent()) {
        amount.add(found.get().entry().item());
        String owner = ownerTerm(found.get().sessionId());
        insert(tx, new Fresh(position, owner, terms(found.get().entry().item())));
      }
      tx.db.update("DELETE FROM {our}unindexed WHERE position = ?", position);
    }
  }

  private static void insert(Tx tx, Fresh row) throws SQLException {
    if (!row.terms().isEmpty()) {
      tx.db.update(
          "INSERT INTO {our}search (rowid, owner, terms) VALUES (?, ?, ?)",
          row.position(),
          row.owner(),
          row.terms());
    }
  }

  private static String terms(@Nullable Item item) {
    return item == null ? "" : Segmenter.indexText(SearchText.of(item));
  }

  private static String ownerTerm(String sessionId) {
    return term(KeyText.read(sessionId).map(SessionKey::owner).orElse(""));
  }

  /** The term that stands for an owner. */
  static String term(String owner) {
    return "o" + Sha256.hex(owner).substring(0, 24);
  }

  SearchResult search(SearchQuery query) {
    if (SearchPhrases.parse(query.text()).isEmpty()) {
      return new SearchResult(List.of(), false);
    }
    try {
      if (!looked) {
        looked = true;
        if (connections.read(SearchIndex::isLost)) {
          makeAnew("it is empty");
        }
      }
      return find(query);
    } catch (ClewException.StoreUnavailable e) {
      if (!isBroken(e)) {
        throw e;
      }
      makeAnew(String.valueOf(e.getCause()));
      return find(query);
    }
  }

  private SearchResult find(SearchQuery query) {
    return new RankedSearch(connections, clock, query, backlog()).result();
  }

  /** What is not indexed yet, after a long backlog was indexed for a while. */
  private Backlog backlog() {
    if (connections.search(SearchIndex::backlog) == Backlog.LONG) {
      return catchUpIfPossible() ? Backlog.NONE : Backlog.LONG;
    }
    return Backlog.SHORT;
  }

  private static Backlog backlog(Db db) throws SQLException {
    long rows =
        db.number(
            0,
            "SELECT count(*) FROM (SELECT 1 FROM {messages} WHERE id > ?1"
                + " UNION ALL SELECT 1 FROM {our}unindexed LIMIT "
                + (SHORT_BACKLOG + 1)
                + ")",
            mark(db));
    return rows > SHORT_BACKLOG ? Backlog.LONG : Backlog.SHORT;
  }

  /** A full disk or a held lock does not keep anybody from searching what is indexed. */
  private boolean catchUpIfPossible() {
    try {
      return catchUp(BEFORE_SEARCH);
    } catch (ClewException.StoreUnavailable e) {
      if (isBroken(e)) {
        throw e;
      }
      LOG.debug("the search index could not be brought up to date", e);
      return false;
    }
  }

  /** Whether messages count as indexed although the index is empty. */
  private static boolean isLost(Db db) throws SQLException {
    return db.exists(
            "SELECT 1 FROM {messages} WHERE id > 0 AND id <= ?"
                + " AND id NOT IN (SELECT position FROM {our}unindexed) LIMIT 1",
            mark(db))
        && !db.exists("SELECT 1 FROM {our}search_docsize LIMIT 1");
  }

  private boolean isBroken(ClewException e) {
    return e.getCause() instanceof SQLiteException cause
        && (cause.getResultCode() == SQLiteErrorCode.SQLITE_CORRUPT_VTAB
            || String.valueOf(cause.getMessage())
                .contains(connections.names().sql("no such table: {our}search")));
  }

  /** Rebuilds the index from the messages. */
  private void makeAnew(String reason) {
    LOG.warn("the search index is rebuilt: {}", reason);
    committer.commit(
        tx -> {
          tx.db.execute("DROP TABLE IF EXISTS {our}search", Schema.SEARCH_INDEX);
          tx.db.update("UPDATE {our}meta SET value = 0 WHERE name = 'indexed'");
          return tx.db.update(
              "INSERT OR IGNORE INTO {our}unindexed (position) SELECT position FROM {our}archive"
                  + " UNION ALL SELECT id FROM {messages} WHERE id <= 0");
        });
  }

  /** Rebuilds an index of an older version, which kept a copy of every text. */
  void dropCopies() {
    boolean copies =
        connections.read(
            db -> db.exists("SELECT 1 FROM sqlite_master WHERE name = '{our}search_content'"));
    if (copies) {
      makeAnew("it holds a copy of every text");
    }
  }

  /** The message at a position, live or archived. */
  private static Optional<Found> find(Db db, long position) throws SQLException {
    Optional<Found> live =
        db.find(
            "SELECT {entry}, session_id FROM {messages} WHERE id = ?",
            row -> found(row.getString(7), Rows.entry(row)),
            position);
    return live.isPresent()
        ? live
        : db.find(
            "SELECT {archived}, session_id FROM {our}archive WHERE position = ?",
            row -> found(row.getString(8), Rows.archived(row)),
            position);
  }

  private static Optional<Found> found(String sessionId, Optional<Entry> entry) {
    return entry.map(value -> new Found(sessionId, value));
  }

  /**
   * Rewrites the index without the words of what was deleted.
   *
   * <p>FTS5 keeps a deleted word until the segment that marks it deleted is merged with all older
   * ones, and considers an index of one segment optimal even if it holds such words. So a second
   * segment is added first.
   */
  void optimize() {
    String optimize = "INSERT INTO {our}search ({our}search) VALUES ('optimize')";
    String remove = "DELETE FROM {our}search WHERE rowid = ?";
    committer.commit(
        tx -> {
          tx.db.update(optimize);
          tx.db.update(remove, NOT_A_POSITION); // left by an interrupted erasure
          insert(tx, new Fresh(NOT_A_POSITION, "nobody", "nothing"));
          return true;
        });
    committer.commit(
        tx -> {
          tx.db.update(remove, NOT_A_POSITION);
          return tx.db.update(optimize);
        });
  }
}
