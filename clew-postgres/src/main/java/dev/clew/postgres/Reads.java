package dev.clew.postgres;

import java.sql.SQLException;

/** What runs reads on a connection. Thread-safe. */
interface Reads {
  /** Work on a connection. It may be run again, so it must have no effect but on the database. */
  interface Work<T> {
    T run(Db db) throws SQLException;
  }

  /** Statements that need not be of one moment. */
  <T> T read(Work<T> work);

  /** Several reads of one moment. */
  <T> T snapshot(Work<T> work);
}
