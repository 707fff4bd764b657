package dev.clew.postgres;

import dev.clew.Documents.Document;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.kit.DamageReports;
import dev.clew.kit.ReadOnlyBackend;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The database at one moment: a transaction at {@code REPEATABLE READ} on a connection outside of
 * the pool. Thread-safe; reads run one after another.
 */
final class PostgresSnapshot extends ReadOnlyBackend implements Reads {
  private final Connections connections;
  private final Connection connection;
  private final Db db;
  private final HistoryReader reader;
  private final PostgresDocuments documents;
  private final long now;

  private PostgresSnapshot(
      Connections connections,
      Connection connection,
      PostgresDocuments documents,
      DamageReports damage,
      long now) {
    super("a snapshot of a PostgreSQL store");
    this.connections = connections;
    this.connection = connection;
    this.db = connections.db(connection);
    this.reader = new HistoryReader(this, damage);
    this.documents = documents;
    this.now = now;
  }

  static PostgresSnapshot take(
      Connections connections, PostgresDocuments documents, DamageReports damage, long now) {
    try {
      Connection connection = connections.extra();
      PostgresSnapshot snapshot =
          new PostgresSnapshot(connections, connection, documents, damage, now);
      try {
        connection.setAutoCommit(false);
        snapshot.db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        snapshot.db.execute("SELECT 1"); // the snapshot starts with the first statement
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
      return snapshot;
    } catch (SQLException e) {
      throw connections.unavailable(e);
    }
  }

  @Override
  public synchronized <T> T read(Work<T> work) {
    try {
      return work.run(db);
    } catch (SQLException e) {
      throw connections.unavailable(e);
    }
  }

  @Override
  public <T> T snapshot(Work<T> work) {
    return read(work);
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    return reader.read(key, range, now);
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return read(on -> SessionRow.live(on, key, now).map(SessionRow::info));
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
      if (!connection.isClosed()) {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
      }
    } catch (SQLException e) {
      // It was only read; the server ends a lost connection.
    }
  }
}
