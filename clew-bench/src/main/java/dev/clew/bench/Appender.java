package dev.clew.bench;

import java.io.IOException;
import java.sql.SQLException;

/** Something that stores turns durably, one at a time. Used by one thread, unless it says more. */
interface Appender extends AutoCloseable {
  /** Returns when the turn is safe on disk. */
  void append(String session, Turn turn) throws SQLException, IOException;

  @Override
  void close() throws SQLException, IOException;
}
