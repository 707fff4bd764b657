package dev.clew.sqlite;

import dev.clew.Opening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A place for a store that has room for about three megabytes, until room is made. */
interface SmallDisk extends AutoCloseable {
  int ROOM = 3 << 20;

  SqliteStore open();

  Path file();

  /** Makes room for more. */
  void free() throws IOException, SQLException;

  @Override
  void close() throws IOException;

  static SqliteOptions options(Path file) {
    return new SqliteOptions(
        file.toString(),
        Names.DEFAULT,
        Synchronous.FULL,
        Duration.ofSeconds(10),
        Optional.empty(),
        1 << 20,
        Clock.systemUTC(),
        Opening.CREATE);
  }

  /** A small file system of its own; nothing where mounting is not permitted. */
  static Optional<SmallDisk> mounted(Path folder) throws IOException {
    Path at = Files.createDirectory(folder.resolve("mounted"));
    Mount mount;
    try {
      mount = Mount.small(8 * ROOM, at);
    } catch (IOException e) {
      return Optional.empty();
    }
    Path filler = at.resolve("filler");
    Files.write(filler, new byte[7 * ROOM]);
    return Optional.of(
        new SmallDisk() {
          @Override
          public SqliteStore open() {
            return SqliteStore.open(file());
          }

          @Override
          public Path file() {
            return at.resolve("store.db");
          }

          @Override
          public void free() throws IOException {
            Files.delete(filler);
          }

          @Override
          public void close() throws IOException {
            mount.close();
          }
        });
  }

  /** A file that SQLite itself keeps from growing, which it reports in the same way. */
  static SmallDisk limited(Path folder) {
    List<Connection> connections = new CopyOnWriteArrayList<>();
    AtomicInteger pages = new AtomicInteger(ROOM / 4096);
    UnaryOperator<Connection> limit =
        connection -> {
          connections.add(connection);
          limit(connection, pages.get());
          return connection;
        };
    return new SmallDisk() {
      @Override
      public SqliteStore open() {
        return SqliteStore.builder(file().toString()).driver(limit).open();
      }

      @Override
      public Path file() {
        return folder.resolve("limited.db");
      }

      @Override
      public void free() {
        pages.set(1 << 20);
        connections.forEach(connection -> limit(connection, pages.get()));
      }

      @Override
      public void close() {}
    };
  }

  private static void limit(Connection connection, int pages) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA max_page_count = " + pages);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
