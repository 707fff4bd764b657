package dev.clew.sqlite;

import dev.clew.kit.sql.SqlDocuments;
import java.time.Clock;

/** Documents as rows of {@code clew_records}. Thread-safe. */
final class SqliteDocuments extends SqlDocuments {
  // A new row each time: its automatic number is the version, which is so never used again.
  private static final Dialect DIALECT =
      new Dialect(
          "{our}records",
          "owner",
          "INSERT OR REPLACE INTO {our}records (owner, name, json, expires)"
              + " VALUES (?1, ?2, ?4, ?5)",
          "instr(name, ?) = 1",
          "");

  private final Connections connections;
  private final Committer committer;
  private final Clock clock;

  SqliteDocuments(Connections connections, Committer committer, Clock clock) {
    super(DIALECT);
    this.connections = connections;
    this.committer = committer;
    this.clock = clock;
  }

  @Override
  protected <T> T read(Work<T> work) {
    return connections.read(db -> work.run(db, clock.millis()));
  }

  @Override
  protected <T> T write(Work<T> work) {
    return committer.commit(tx -> work.run(tx.db, tx.now));
  }
}
