package dev.clew.imports;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** A format of tables in a database. Stateless. */
abstract class DatabaseFormat implements ImportFormat {

  /** Whether a database has the tables. */
  abstract boolean fits(Database database) throws SQLException;

  /**
   * The reader of a database.
   *
   * @param source its name, for messages
   * @throws BadSource if it does not have the tables
   */
  abstract ConversationReader reader(Database database, String source, Losses losses)
      throws SQLException;

  @Override
  public boolean recognises(String source) {
    if (!Database.isSqliteFile(source)) {
      return false;
    }
    try (Database database = Database.open(source)) {
      return fits(database);
    } catch (SQLException | BadSource e) {
      return false;
    }
  }

  @Override
  public final ConversationReader open(String source, Losses losses) {
    String shown = Database.withoutSettings(source);
    try {
      Database database = Database.open(source);
      try {
        return reader(database, shown, losses);
      } catch (SQLException | RuntimeException e) {
        database.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new BadSource("'" + shown + "' cannot be read: " + e.getMessage());
    }
  }

  /**
   * Reads the conversations of a database. Not thread-safe.
   *
   * @param <K> what tells one conversation from another
   */
  abstract static class Reader<K> implements ConversationReader {
    final Database database;
    final String source;
    final Losses losses;
    private final List<K> keys;
    private final Iterator<K> rest;
    private long done;

    Reader(Database database, String source, List<K> keys, Losses losses) {
      this.database = database;
      this.source = source;
      this.keys = keys;
      this.rest = keys.iterator();
      this.losses = losses;
    }

    /** The place of a conversation. */
    abstract String place(K key);

    /** A conversation; nothing if it is a loss. */
    abstract Optional<Conversation> read(K key, String place) throws SQLException;

    @Override
    public final Optional<Conversation> next() {
      Optional<Conversation> found = Optional.empty();
      while (found.isEmpty() && rest.hasNext()) {
        K key = rest.next();
        done++;
        losses.nextConversation();
        try {
          found = read(key, place(key));
        } catch (SQLException e) {
          throw new BadSource(place(key) + ": " + e.getMessage());
        }
      }
      return found;
    }

    @Override
    public final long read() {
      return done;
    }

    @Override
    public final long size() {
      return keys.size();
    }

    @Override
    public final void close() throws IOException {
      try {
        database.close();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
  }
}
