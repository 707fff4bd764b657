package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;

/** The store as a user opens it, with its defaults. Thread-safe. */
final class ClewStore implements Appender {
  final SessionStore store;

  ClewStore(Path file) {
    this(SqliteStore.open(file));
  }

  ClewStore(SessionStore store) {
    this.store = store;
  }

  @Override
  public void append(String session, Turn turn) {
    store.session(session).addItems(turn.items());
  }

  int last(String session, int limit) {
    return store.session(session).getItems(limit).size();
  }

  int all(String session) {
    return store.session(session).getItems().size();
  }

  /** Makes a file with the tables of a store and nothing in them. */
  static void create(Path file) {
    SqliteStore.open(file).close();
  }

  @Override
  public void close() {
    store.close();
  }
}
