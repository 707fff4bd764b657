package dev.clew.sqlite;

import dev.clew.Documents.Document;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.ReadOnlyBackend;
import dev.clew.spi.Backend;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file at one moment: a read transaction on a connection of its own. Thread-safe; reads run one
 * after another.
 *
 * <p>While it is open the write-ahead log grows, because the checkpoint cannot pass what it sees.
 * The backup functions of SQLite would copy the whole file first.
 */
final class SqliteSnapshot extends ReadOnlyBackend {
  private final Db db;
  private final HistoryReader reader;
  private final SqliteDocuments documents;
  private final SqliteErrors errors;
  private final long now;

  private SqliteSnapshot(
      Db db, HistoryReader reader, SqliteDocuments documents, SqliteErrors errors, long now) {
    super("a snapshot of " + errors.where());
    this.db = db;
    this.reader = reader;
    this.documents = documents;
    this.errors = errors;
    this.now = now;
  }

  /** Empty for a database in memory, which has a single connection. */
  static Optional<Backend> take(
      Connections connections,
      HistoryReader reader,
      SqliteDocuments documents,
      SqliteErrors errors,
      long now) {
    try {
      @Nullable Db db = connections.extra();
      if (db == null) {
        return Optional.empty();
      }
      try {
        db.hold();
      } catch (SQLException e) {
        db.close();
        throw e;
      }
      return Optional.of(new SqliteSnapshot(db, reader, documents, errors, now));
    } catch (SQLException e) {
      throw errors.unavailable(e);
    }
  }

  private synchronized <T> T read(Db.Reads<T> reads) {
    try {
      return reads.run(db);
    } catch (SQLException e) {
      throw errors.unavailable(e);
    }
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return read(on -> reader.read(on, KeyText.of(key), range, now));
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return read(on -> SessionRow.live(on, KeyText.of(key), now).map(row -> row.info(key)));
  }

  @Override
  public SessionPage list(SessionQuery query) {
    return read(on -> SessionList.page(on, query, now));
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    return read(on -> Owners.page(on, after, limit, now));
  }

  @Override
  protected Optional<Document> document(String owner, String name) {
    return read(on -> documents.get(on, owner, name, now));
  }

  @Override
  protected List<Document> documents(
      String owner, String prefix, Optional<String> after, int limit) {
    return read(on -> documents.list(on, owner, prefix, after.orElse(""), limit, now));
  }

  @Override
  public synchronized void close() {
    try {
      db.close();
    } catch (SQLException e) {
      // It was only read; nothing depends on it.
    }
  }
}
