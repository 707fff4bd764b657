package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.kit.SearchBudget;
import dev.clew.kit.SearchText;
import dev.clew.kit.SessionSearch;
import dev.clew.kit.Sha256;
import dev.clew.kit.text.SearchPhrases;
import dev.clew.kit.text.Segmenter;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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

  /** The most text that a search reads at once, unless a single item is larger. */
  private static final long READ_CHARS = 4 << 20;

  private static final Duration BEFORE_SEARCH = Duration.ofMillis(500);
  private static final int CANDIDATES = 1000;
  private static final int LOOK = 250;

  /** How many rows that are not indexed yet a search reads itself. */
  private static final int UNINDEXED = 2_000;

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

  private record Found(String sessionId, Entry entry) {}

  /** A row above the mark, not yet split into terms. */
  private record Unread(long position, String sessionId, @Nullable Item item) {
    Fresh fresh() {
      return new Fresh(position, ownerTerm(sessionId), terms(item));
    }
  }

  /** The entries found at the first {@code count} of some positions. */
  private record Piece(List<Found> found, int count) {}

  /** How many rows are not indexed yet. */
  private enum Backlog {
    NONE,
    SHORT,
    LONG
  }

  /** What the index finds, newest first; what it lacks; and whether that is all. */
  private record Leads(List<Long> indexed, List<Long> unindexed, boolean all) {}

  /** The amount of text read so far. */
  private static final class Amount {
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

  private static long mark(Db db) throws SQLException {
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

  private static String term(String owner) {
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
      return lookUp(query);
    } catch (ClewException.StoreUnavailable e) {
      if (!isBroken(e)) {
        throw e;
      }
      makeAnew(String.valueOf(e.getCause()));
      return lookUp(query);
    }
  }

  private SearchResult lookUp(SearchQuery query) {
    Backlog backlog = backlog();
    SearchBudget budget = new SearchBudget(query, SearchBudget.TIME);
    SessionSearch search = new SessionSearch(query, budget);
    Leads leads =
        connections.search(
            db -> db.snapshot(moment -> leads(moment, query, search, budget, backlog)));
    Map<String, Optional<String>> titles = new HashMap<>();
    // The newest matches are ranked, whether they are indexed: others decide when that is.
    NavigableSet<Long> newest = new TreeSet<>(Comparator.reverseOrder());
    newest.addAll(leads.indexed());
    each(
        leads.unindexed(),
        search::hasSkipped,
        titles,
        found -> match(search, query, found, newest));
    List<Long> ranked = newest.stream().limit(CANDIDATES).toList();
    each(ranked, search::hasEnded, titles, found -> look(search, query, found, titles));
    return search.result(!leads.all());
  }

  /** Reads some positions piece by piece until it is enough. */
  private void each(
      List<Long> positions,
      BooleanSupplier enough,
      Map<String, Optional<String>> titles,
      Consumer<Found> what) {
    for (int from = 0; from < positions.size() && !enough.getAsBoolean(); ) {
      List<Long> next = positions.subList(from, Math.min(from + LOOK, positions.size()));
      Piece piece = connections.search(db -> db.snapshot(moment -> read(moment, next, titles)));
      piece.found().forEach(what); // without a connection
      from += piece.count();
    }
  }

  private static void match(
      SessionSearch search, SearchQuery query, Found found, Set<Long> matching) {
    if (key(query, found).isPresent() && search.matches(found.entry())) {
      matching.add(found.entry().position());
    }
  }

  private static void look(
      SessionSearch search, SearchQuery query, Found found, Map<String, Optional<String>> titles) {
    Optional<String> title = titles.getOrDefault(found.sessionId(), Optional.empty());
    Optional<SessionKey> key = key(query, found);
    if (title.isPresent() && key.isPresent()) {
      search.look(key.get(), title.get(), found.entry());
    }
  }

  private static Optional<SessionKey> key(SearchQuery query, Found found) {
    return KeyText.read(found.sessionId()).filter(key -> key.owner().equals(query.owner()));
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

  /** Where to look: at what the index finds, and at what it lacks. */
  private static Leads leads(
      Db db, SearchQuery query, SessionSearch search, SearchBudget budget, Backlog backlog)
      throws SQLException {
    List<Long> indexed = candidates(db, query, search.phrases(), budget);
    boolean all = !budget.isSpent();
    if (backlog == Backlog.NONE) {
      return new Leads(indexed, List.of(), all);
    }
    // However far the index lags behind for others, owners find their own words.
    List<Long> unindexed = unindexed(db, query, backlog, budget);
    return new Leads(indexed, unindexed, all && unindexed.size() <= UNINDEXED);
  }

  /** The newest matches; ranking every match of a common word would take seconds. */
  private static List<Long> candidates(
      Db db, SearchQuery query, SearchPhrases phrases, SearchBudget budget) throws SQLException {
    String match = "owner : \"" + term(query.owner()) + "\" AND terms : (" + phrases.fts5() + ")";
    String matches =
        "SELECT s.rowid FROM {our}search s WHERE {our}search MATCH ?1"
            + " AND s.rowid NOT IN (SELECT position FROM {our}unindexed)";
    String newest = " ORDER BY s.rowid DESC LIMIT " + CANDIDATES;
    if (query.sessionId().isEmpty()) {
      return db.until(budget::isSpent, matches + newest, row -> row.getLong(1), match);
    }
    return db.until(
        budget::isSpent,
        matches
            + " AND (EXISTS (SELECT 1 FROM {messages} m"
            + " WHERE m.id = s.rowid AND m.session_id = ?2)"
            + " OR EXISTS (SELECT 1 FROM {our}archive a"
            + " WHERE a.position = s.rowid AND a.session_id = ?2))"
            + newest,
        row -> row.getLong(1),
        match,
        KeyText.of(new SessionKey(query.owner(), query.sessionId().get())));
  }

  /** Rows of the owner that are new or changed since they were indexed. */
  private static List<Long> unindexed(
      Db db, SearchQuery query, Backlog backlog, SearchBudget budget) throws SQLException {
    Optional<String> id =
        query.sessionId().map(session -> KeyText.of(new SessionKey(query.owner(), session)));
    String wanted = id.isPresent() ? "s.session_id = ?1" : "s.clew_owner = ?1";
    return db.until(
        budget::isSpent,
        // Of a short backlog each row, of a long one what is above the mark in each session.
        (backlog == Backlog.SHORT
                ? "SELECT m.id FROM {messages} m CROSS JOIN {sessions} s"
                    + " ON s.session_id = m.session_id"
                : "SELECT m.id FROM {sessions} s CROSS JOIN {messages} m"
                    + " ON m.session_id = s.session_id")
            + " WHERE m.id > ?2 AND "
            + wanted
            + " UNION ALL SELECT u.position FROM {our}unindexed u"
            + " CROSS JOIN {messages} m ON m.id = u.position"
            + " CROSS JOIN {sessions} s ON s.session_id = m.session_id WHERE "
            + wanted
            + " UNION ALL SELECT u.position FROM {our}unindexed u"
            + " CROSS JOIN {our}archive a ON a.position = u.position"
            + " CROSS JOIN {sessions} s ON s.session_id = a.session_id WHERE "
            + wanted
            + " LIMIT "
            + (UNINDEXED + 1),
        row -> row.getLong(1),
        id.orElseGet(() -> KeyText.owner(query.owner())),
        mark(db));
  }

  /** Reads the first of these positions, and the titles of their sessions unless they expired. */
  private Piece read(Db db, List<Long> positions, Map<String, Optional<String>> titles)
      throws SQLException {
    Amount amount = new Amount(READ_CHARS);
    Map<Long, Found> found = new LinkedHashMap<>();
    List<Long> seen =
        db.until(
            amount::isEnough,
            at("{messages}", "id", "{entry}"),
            row -> {
              Optional<Entry> entry = Rows.entry(row);
              String session = row.getString(7);
              amount.add(entry.map(Entry::item).orElse(null));
              entry.ifPresent(value -> found.put(value.position(), new Found(session, value)));
              return row.getLong(1);
            },
            positions.toString());
    int count =
        amount.isEnough() ? positions.indexOf(seen.get(seen.size() - 1)) + 1 : positions.size();
    List<Long> elsewhere =
        positions.subList(0, count).stream().filter(at -> !found.containsKey(at)).toList();
    if (!elsewhere.isEmpty()) {
      db.all(
          at("{our}archive", "position", "{archived}"),
          row -> {
            String session = row.getString(8);
            Rows.archived(row)
                .ifPresent(entry -> found.put(entry.position(), new Found(session, entry)));
            return true;
          },
          elsewhere.toString());
    }
    for (Found each : found.values()) {
      if (!titles.containsKey(each.sessionId())) {
        titles.put(each.sessionId(), title(db, each.sessionId()));
      }
    }
    return new Piece(List.copyOf(found.values()), count);
  }

  private static String at(String table, String position, String columns) {
    return String.format(
        "SELECT %s, session_id FROM (SELECT value AS wanted FROM json_each(?)) CROSS JOIN %s "
            + "ON %s = wanted",
        columns, table, position);
  }

  /** The title of a session, unless it has expired. */
  private Optional<String> title(Db db, String sessionId) throws SQLException {
    return db.first(
        "SELECT clew_title FROM {sessions} WHERE session_id = ? AND {live}",
        row -> row.getString(1),
        sessionId,
        clock.millis());
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
