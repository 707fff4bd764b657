package dev.clew.sqlite;

import dev.clew.ClewException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConfig;

/**
 * The connections of one store: one that writes, a few that read. Thread-safe.
 *
 * <p>A database in memory exists in one connection only, so there reading and writing share it.
 */
final class Connections {
  private static final int MAX_READERS =
      Math.max(2, Math.min(8, 2 * Runtime.getRuntime().availableProcessors()));

  /** In KiB. The system's own cache is behind it, so a reader needs little. */
  private static final int READER_CACHE = 500;

  private static final int WRITER_CACHE = 4000;

  private static final int CHECKPOINT_FRAMES = 500;
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

  private final SqliteOptions options;
  private final SqliteErrors errors;
  private final UnaryOperator<Connection> driver;
  private final Deque<Db> idle = new ArrayDeque<>();
  private final Semaphore readers;
  private @Nullable Db shared;
  private @Nullable Db writer;
  private volatile boolean closed;

  /**
   * @param driver what stands between us and the driver: nothing, except where a test wants a disk
   *     that fails
   */
  Connections(SqliteOptions options, SqliteErrors errors, UnaryOperator<Connection> driver) {
    this.options = options;
    this.errors = errors;
    this.driver = driver;
    this.readers = new Semaphore(permits());
  }

  Names names() {
    return options.names();
  }

  boolean inMemory() {
    return options.inMemory();
  }

  /** Opens the file, creating it and its folder if needed, and brings its tables up to date. */
  void prepare() {
    if (!options.inMemory()) {
      checkPath(Path.of(options.path()));
    }
    long deadline = System.nanoTime() + options.busyTimeout().toNanos();
    while (true) {
      try {
        prepareOnce();
        return;
      } catch (SQLException e) {
        // Who turns the file to WAL while others open it is told so at once, without being asked
        // to wait.
        if (!SqliteErrors.isBusy(e) || System.nanoTime() > deadline) {
          throw errors.unavailable(e);
        }
        LockSupport.parkNanos(1_000_000 + ThreadLocalRandom.current().nextLong(4_000_000));
      }
    }
  }

  private void prepareOnce() throws SQLException {
    Db db = open();
    try {
      Schema.prepare(db, errors.where());
      if (options.inMemory()) {
        shared = forWriting(db);
      }
    } catch (SQLException | RuntimeException e) {
      db.close();
      throw e;
    }
    idle.push(db);
  }

  private void checkPath(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw refused("is a folder; name a file, for example " + path.resolve("clew.db"));
    }
    try {
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw refused("its folder " + folder + " cannot be made (" + e.getMessage() + ")");
    }
    if (Files.exists(path) && !Files.isWritable(path)) {
      throw refused("is read-only; make it writable for this user");
    }
    if (folder != null && !Files.isWritable(folder)) {
      throw refused("its folder " + folder + " is not writable for this user");
    }
  }

  private ClewException refused(String reason) {
    return new ClewException.StoreUnavailable(errors.where() + ": " + reason, null, false);
  }

  /**
   * Runs a write on the one connection that writes. Not to be called by two threads at once, which
   * the {@link Committer} sees to.
   */
  <T> T write(Db.Reads<T> writes) throws SQLException {
    if (options.inMemory()) {
      Db db = acquire();
      try {
        return writes.run(db);
      } finally {
        release(db, true);
      }
    }
    if (closed) {
      throw errors.closed();
    }
    Db db = writer;
    if (db == null) {
      db = forWriting(open());
      writer = db;
    }
    return writes.run(db);
  }

  /** Another connection of the caller's own, or nothing if there can be only one. */
  @Nullable Db extra() throws SQLException {
    return shared != null ? null : open();
  }

  /** Runs reads on a connection nobody else uses meanwhile. */
  <T> T read(Db.Reads<T> reads) {
    Db db = acquire();
    boolean healthy = false;
    try {
      T result = reads.run(db);
      healthy = true;
      return result;
    } catch (SQLException e) {
      throw errors.unavailable(e);
    } catch (ClewException e) {
      healthy = true;
      throw e;
    } finally {
      release(db, healthy);
    }
  }

  private Db acquire() {
    if (closed) {
      throw errors.closed();
    }
    readers.acquireUninterruptibly();
    if (closed) {
      readers.release();
      throw errors.closed();
    }
    Db db;
    synchronized (idle) {
      db = idle.poll();
    }
    if (db != null) {
      return db;
    }
    try {
      return open();
    } catch (SQLException e) {
      readers.release();
      throw errors.unavailable(e);
    }
  }

  private void release(Db db, boolean healthy) {
    boolean keep = healthy || db == shared;
    if (keep) {
      if (!healthy) {
        db.forgetStatements();
      }
      synchronized (idle) {
        idle.push(db);
      }
    } else {
      try {
        db.close();
      } catch (SQLException e) {
        // It failed already; the caller has that error.
      }
    }
    readers.release();
  }

  private Db open() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setGetGeneratedKeys(false);
    config.setBusyTimeout(0);
    Connection connection = config.createConnection("jdbc:sqlite:" + location());
    try {
      BusyWait wait = new BusyWait(options.busyTimeout());
      BusyHandler.setHandler(connection, wait);
      Db db = new Db(driver.apply(connection), options.names(), wait);
      db.execute("PRAGMA cache_size = -" + READER_CACHE);
      return db;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** What only matters to a connection that writes. */
  private Db forWriting(Db db) throws SQLException {
    db.execute(
        "PRAGMA cache_size = -" + WRITER_CACHE,
        "PRAGMA foreign_keys = ON",
        // What a statement would undo if it failed: past 64 KiB SQLite puts it into a file else.
        "PRAGMA temp_store = MEMORY",
        "PRAGMA synchronous = " + options.synchronous(),
        "PRAGMA wal_autocheckpoint = " + CHECKPOINT_FRAMES,
        "PRAGMA secure_delete = ON");
    return db;
  }

  /** The path; as a URI if the driver would take part of it for options. */
  private String location() {
    String path = options.path();
    boolean plain = path.indexOf('?') < 0 && path.indexOf('%') < 0 && path.indexOf('#') < 0;
    return plain ? path : "file:" + Path.of(path).toUri().getRawPath();
  }

  private int permits() {
    return options.inMemory() ? 1 : MAX_READERS;
  }

  /** Waits for reads in flight, then closes. The committer must have been closed before. */
  void close() {
    closed = true;
    boolean quiet = false;
    try {
      quiet = readers.tryAcquire(permits(), CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Db> open;
    synchronized (idle) {
      open = new ArrayList<>(idle);
      idle.clear();
    }
    if (writer != null) {
      open.add(writer);
    }
    for (Db db : open) {
      try {
        db.close();
      } catch (SQLException e) {
        // Nothing more can be done for it, and nothing acknowledged depends on it.
      }
    }
    if (quiet) {
      readers.release(permits());
    }
  }
}
