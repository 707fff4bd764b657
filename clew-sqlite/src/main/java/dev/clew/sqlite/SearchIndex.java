package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionKey;
import dev.clew.internal.SearchHits;
import dev.clew.internal.SearchText;
import dev.clew.internal.text.SearchPhrases;
import dev.clew.internal.text.Segmenter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The full-text index: derived from the messages, behind them by a little, never wrong for long.
 * Thread-safe.
 *
 * <p>Appending does not touch it, because that would halve its speed. New rows are those above the
 * mark {@code indexed} in {@code clew_meta}; rows that changed otherwise stand in {@code
 * clew_unindexed}, where triggers put what other programs delete. Both are worked off in the
 * background and before a search, at most {@value #BATCH} rows a transaction.
 *
 * <p>The index holds our own terms (see {@link Segmenter}), so that words of one Chinese character
 * are found, and the owner as a term of its own, so that a search never walks through the words of
 * others. Every hit is checked against the message it came from, so the index need not keep a text
 * of its own.
 */
final class SearchIndex {
  private static final int BATCH = 100;
  private static final Duration BEFORE_SEARCH = Duration.ofMillis(500);
  private static final int CANDIDATES = 1000;
  private static final long NOT_A_POSITION = Long.MIN_VALUE;
  private static final Logger LOG = LoggerFactory.getLogger(SearchIndex.class);

  private final Connections connections;
  private final Committer committer;
  private final Clock clock;
  private volatile boolean looked;

  SearchIndex(Connections connections, Committer committer, Clock clock) {
    this.connections = connections;
    this.committer = committer;
    this.clock = clock;
  }

  private record Fresh(long position, String owner, String terms) {}

  private record Candidate(long position, double score) {}

  private record Found(String sessionId, Entry entry) {}

  /** The entry of a message has to be made anew, or to go. */
  static void forget(Tx tx, long position) throws SQLException {
    tx.db.update("INSERT OR IGNORE INTO {our}unindexed (position) VALUES (?)", position);
  }

  /** The entries of all messages up to a position have to be made anew, or to go. */
  static void forgetPrefix(Tx tx, String sessionId, long upTo) throws SQLException {
    tx.db.update(
        "INSERT OR IGNORE INTO {our}unindexed (position)"
            + " SELECT id FROM {messages} WHERE session_id = ? AND id <= ?",
        sessionId,
        upTo);
  }

  /** Whether there is nothing left to do after working for at most this long. */
  boolean catchUp(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (step()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
    }
    return true;
  }

  /** Works off one batch; whether there was anything to do. */
  boolean step() {
    long mark = connections.read(SearchIndex::mark);
    boolean changed =
        connections.read(
                db -> db.number(0, "SELECT count(*) FROM (SELECT 1 FROM {our}unindexed LIMIT 1)"))
            > 0;
    List<Fresh> fresh = connections.read(db -> fresh(db, mark));
    if (!changed && fresh.isEmpty()) {
      return false;
    }
    committer.commit(tx -> write(tx, mark, fresh));
    return true;
  }

  private static long mark(Db db) throws SQLException {
    return db.number(0, "SELECT value FROM {our}meta WHERE name = 'indexed'");
  }

  /** The next rows above the mark, taken apart outside of any transaction. */
  private static List<Fresh> fresh(Db db, long mark) throws SQLException {
    return db.all(
        "SELECT id, session_id, message_data, "
            + Rows.CRC
            + " FROM {messages} WHERE id > ? ORDER BY id LIMIT "
            + BATCH,
        row ->
            new Fresh(
                row.getLong(1),
                ownerTerm(row.getString(2)),
                terms(Rows.item(row.getBytes(3), row.getLong(4)))),
        mark);
  }

  /*
   * What was read above the mark may have changed by now, and others may have been here: other
   * threads, other processes. It counts only if the mark has not moved; then the mark moves past
   * it, and after that everything up to the mark that changed is redone. So nobody can bring in
   * text that is no longer there.
   */
  private static Boolean write(Tx tx, long read, List<Fresh> fresh) throws SQLException {
    long mark = mark(tx.db);
    if (mark == read && !fresh.isEmpty()) {
      for (Fresh row : fresh) {
        insert(tx, row);
      }
      mark = fresh.get(fresh.size() - 1).position();
    } else if (!hasRowsAbove(tx.db, mark)) {
      // All that is left up there has gone before its turn came.
      mark = Math.max(mark, tx.db.number(0, "SELECT max(position) FROM {our}unindexed"));
    }
    tx.db.update("UPDATE {our}meta SET value = ? WHERE name = 'indexed'", mark);
    redo(tx, mark);
    return true;
  }

  private static boolean hasRowsAbove(Db db, long mark) throws SQLException {
    return db.number(0, "SELECT 1 FROM {messages} WHERE id > ? LIMIT 1", mark) == 1;
  }

  private static void redo(Tx tx, long mark) throws SQLException {
    List<Long> positions =
        tx.db.all(
            "SELECT position FROM {our}unindexed WHERE position <= ? LIMIT " + BATCH,
            row -> row.getLong(1),
            mark);
    for (long position : positions) {
      tx.db.update("DELETE FROM {our}search WHERE rowid = ?", position);
      Optional<Found> found = find(tx.db, position);
      if (found.isPresent()) {
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

  private static String terms(@org.jspecify.annotations.Nullable Item item) {
    return item == null ? "" : Segmenter.indexText(SearchText.of(item));
  }

  private static String ownerTerm(String sessionId) {
    return term(KeyText.read(sessionId).map(SessionKey::owner).orElse(""));
  }

  private static String term(String owner) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
      return "o" + HexFormat.of().formatHex(digest, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  SearchResult search(SearchQuery query) {
    SearchPhrases phrases = SearchPhrases.parse(query.text());
    if (phrases.isEmpty()) {
      return new SearchResult(List.of(), false);
    }
    try {
      if (!looked) {
        looked = true;
        if (connections.read(SearchIndex::isLost)) {
          makeAnew("it is empty");
        }
      }
      return lookUp(query, phrases);
    } catch (ClewException.StoreUnavailable e) {
      if (!isBroken(e)) {
        throw e;
      }
      makeAnew(String.valueOf(e.getCause()));
      return lookUp(query, phrases);
    }
  }

  private SearchResult lookUp(SearchQuery query, SearchPhrases phrases) {
    boolean complete = catchUpIfPossible();
    List<Hit> hits =
        connections.read(db -> db.snapshot(snapshot -> hits(snapshot, query, phrases)));
    return new SearchResult(hits, !complete);
  }

  /** A disk that is full or a lock that is held keeps nobody from searching what is indexed. */
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

  /** Whether messages count as indexed and the index has none at all. */
  private static boolean isLost(Db db) throws SQLException {
    return db.number(
                0,
                "SELECT 1 FROM {messages} WHERE id > 0 AND id <= ?"
                    + " AND id NOT IN (SELECT position FROM {our}unindexed) LIMIT 1",
                mark(db))
            == 1
        && db.number(0, "SELECT 1 FROM {our}search_docsize LIMIT 1") == 0;
  }

  private boolean isBroken(ClewException e) {
    return e.getCause() instanceof SQLiteException cause
        && (cause.getResultCode() == SQLiteErrorCode.SQLITE_CORRUPT_VTAB
            || String.valueOf(cause.getMessage())
                .contains(connections.names().sql("no such table: {our}search")));
  }

  /** Nothing is lost with the index: it is made from the messages. */
  private void makeAnew(String reason) {
    LOG.warn("the search index is made anew: {}", reason);
    committer.commit(
        tx -> {
          tx.db.execute("DROP TABLE IF EXISTS {our}search", Schema.SEARCH_INDEX);
          tx.db.update("UPDATE {our}meta SET value = 0 WHERE name = 'indexed'");
          return tx.db.update(
              "INSERT OR IGNORE INTO {our}unindexed (position) SELECT position FROM {our}archive"
                  + " UNION ALL SELECT id FROM {messages} WHERE id <= 0");
        });
  }

  /** An index from before it did without keeps a copy of every text; makes such a one anew. */
  void dropCopies() {
    boolean copies =
        connections.read(
                db ->
                    db.number(
                        0, "SELECT count(*) FROM sqlite_master WHERE name = '{our}search_content'"))
            > 0;
    if (copies) {
      makeAnew("it holds a copy of every text");
    }
  }

  private List<Hit> hits(Db db, SearchQuery query, SearchPhrases phrases) throws SQLException {
    List<Hit> hits = new ArrayList<>();
    for (Candidate candidate : candidates(db, query, phrases)) {
      Optional<Found> found = find(db, candidate.position());
      if (found.isPresent()) {
        hit(db, query, phrases, candidate, found.get()).ifPresent(hits::add);
        if (hits.size() == query.limit()) {
          break;
        }
      }
    }
    return hits;
  }

  /** The newest matches, best first: ranking every match of a common word would take seconds. */
  private static List<Candidate> candidates(Db db, SearchQuery query, SearchPhrases phrases)
      throws SQLException {
    String match = "owner : \"" + term(query.owner()) + "\" AND terms : (" + phrases.fts5() + ")";
    String columns = "SELECT s.rowid, bm25({our}search, 0.0, 1.0) FROM {our}search s";
    String newest = " ORDER BY s.rowid DESC LIMIT " + CANDIDATES;
    List<Candidate> found;
    if (query.sessionId().isPresent()) {
      String id = KeyText.of(new SessionKey(query.owner(), query.sessionId().get()));
      found =
          db.all(
              columns
                  + " WHERE {our}search MATCH ?1 AND (EXISTS (SELECT 1 FROM {messages} m"
                  + " WHERE m.id = s.rowid AND m.session_id = ?2)"
                  + " OR EXISTS (SELECT 1 FROM {our}archive a"
                  + " WHERE a.position = s.rowid AND a.session_id = ?2))"
                  + newest,
              row -> new Candidate(row.getLong(1), -row.getDouble(2)),
              match,
              id);
    } else {
      found =
          db.all(
              columns + " WHERE {our}search MATCH ?" + newest,
              row -> new Candidate(row.getLong(1), -row.getDouble(2)),
              match);
    }
    found.sort(
        Comparator.comparingDouble(Candidate::score)
            .thenComparingLong(Candidate::position)
            .reversed());
    return found;
  }

  private Optional<Hit> hit(
      Db db, SearchQuery query, SearchPhrases phrases, Candidate candidate, Found found)
      throws SQLException {
    Optional<SessionKey> key =
        KeyText.read(found.sessionId()).filter(k -> k.owner().equals(query.owner()));
    Optional<SessionRow> session = SessionRow.live(db, found.sessionId(), clock.millis());
    String text = SearchText.of(found.entry().item());
    if (key.isEmpty() || session.isEmpty() || !phrases.matches(text)) {
      return Optional.empty();
    }
    return Optional.of(
        SearchHits.of(
            key.get(), session.get().title(), found.entry(), text, phrases, candidate.score()));
  }

  /** The message at a position, live or archived. */
  private static Optional<Found> find(Db db, long position) throws SQLException {
    Optional<Found> live =
        db.first(
                "SELECT " + Rows.ENTRY_COLUMNS + ", session_id FROM {messages} WHERE id = ?",
                row -> found(row.getString(7), Rows.entry(row)),
                position)
            .flatMap(found -> found);
    return live.isPresent()
        ? live
        : db.first(
                "SELECT "
                    + Rows.ARCHIVE_COLUMNS
                    + ", session_id FROM {our}archive WHERE position = ?",
                row -> found(row.getString(8), Rows.archived(row)),
                position)
            .flatMap(found -> found);
  }

  private static Optional<Found> found(String sessionId, Optional<Entry> entry) {
    return entry.map(value -> new Found(sessionId, value));
  }

  /**
   * Rewrites the index without the words of what was deleted.
   *
   * <p>FTS5 keeps a deleted word until the part of the index that says so is merged with all older
   * ones, and takes an index of one part for optimal even if it holds such words. So a second part
   * is added, which leaves it something to merge.
   */
  void optimize() {
    String optimize = "INSERT INTO {our}search ({our}search) VALUES ('optimize')";
    String remove = "DELETE FROM {our}search WHERE rowid = ?";
    committer.commit(
        tx -> {
          tx.db.update(optimize);
          tx.db.update(remove, NOT_A_POSITION); // of an erasure that was interrupted
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
