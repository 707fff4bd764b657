package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.kit.PrivateFiles;
import dev.clew.kit.Reasons;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
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
 * The connections of a store: one that writes, a few that read, and a few for searches, whose
 * statements may take long. A database in memory has a single connection for all. Thread-safe.
 */
final class Connections {
  private static final int MAX_READERS =
      Math.max(2, Math.min(8, 2 * Runtime.getRuntime().availableProcessors()));

  private static final int MAX_SEARCHERS = 2;

  /** In KiB. A reader needs little, because the operating system caches the file too. */
  private static final int READER_CACHE = 500;

  private static final int WRITER_CACHE = 4000;

  private static final int CHECKPOINT_FRAMES = 500;
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

  private final SqliteOptions options;
  private final SqliteErrors errors;
  private final UnaryOperator<Connection> driver;
  private final Lane readers;
  private final Lane searchers;
  private @Nullable ReadMode readMode;
  private List<String> views = List.of();
  private @Nullable Db shared;
  private @Nullable Db writer;
  private volatile @Nullable OpenFile file;
  private volatile boolean closed;

  /**
   * @param driver wraps each connection; for tests with a failing disk
   */
  Connections(SqliteOptions options, SqliteErrors errors, UnaryOperator<Connection> driver) {
    this.options = options;
    this.errors = errors;
    this.driver = driver;
    this.readers = new Lane(options.inMemory() ? 1 : MAX_READERS);
    this.searchers = options.inMemory() ? readers : new Lane(MAX_SEARCHERS);
  }

  /** Connections of one kind. Thread-safe; each connection is used by one thread at a time. */
  private static final class Lane {
    final int size;
    final Semaphore free;
    final Deque<Db> idle = new ArrayDeque<>();

    Lane(int size) {
      this.size = size;
      this.free = new Semaphore(size);
    }
  }

  Names names() {
    return options.names();
  }

  boolean inMemory() {
    return options.inMemory();
  }

  /**
   * Opens the file, creates it and its folder if needed and allowed, and updates its tables. A file
   * opened read-only stays as it is.
   */
  void prepare() {
    boolean there = options.inMemory() || isThere(Path.of(options.path()));
    if (options.readOnly()) {
      readMode = readMode(Path.of(options.path()));
    } else if (!options.inMemory()) {
      checkWritable(Path.of(options.path()));
    }
    long deadline = System.nanoTime() + options.busyTimeout().toNanos();
    while (true) {
      try {
        prepareOnce(there);
        break;
      } catch (SQLException e) {
        // Switching the file to WAL while others open it fails at once, without waiting.
        if (!SqliteErrors.isBusy(e) || System.nanoTime() > deadline) {
          throw readMode != null && SqliteErrors.isNotWritable(e)
              ? refused(
                  String.format(
                      "its log can only be read by a user who may write to its folder; copy "
                          + "%s and %s-wal to a folder of yours and read them there",
                      options.path(), options.path()))
              : errors.unavailable(e);
        }
        LockSupport.parkNanos(1_000_000 + ThreadLocalRandom.current().nextLong(4_000_000));
      }
    }
    if (!options.inMemory()) {
      file = OpenFile.at(Path.of(options.path()));
    }
  }

  /**
   * Fails if the file was removed or replaced since it was opened: a write would be lost.
   *
   * @param now whether to check even if that was done a moment ago
   */
  void requireFile(boolean now) {
    OpenFile opened = file;
    if (opened != null && opened.isGone(now)) {
      throw refused(
          "the file was removed or replaced while it was open; start again with the right one,"
              + " nothing is written until then");
    }
  }

  private void prepareOnce(boolean there) throws SQLException {
    Db db = open();
    try {
      if (there && !options.inMemory() && !Schema.hasSessions(db)) {
        requireLog(Path.of(options.path()));
      }
      if (options.readOnly()) {
        views = Schema.views(db, errors.where());
        makeReadOnly(db);
      } else {
        if (!options.opening().mayCreate()) {
          Schema.requireSessions(db, errors.where());
        }
        if (Schema.prepare(db, errors.where()) && !options.inMemory()) {
          options.opening().made((there ? "the tables of Clew in " : "the file ") + options.path());
        }
      }
      if (options.inMemory()) {
        shared = forWriting(db);
      }
    } catch (SQLException | RuntimeException e) {
      db.close();
      throw e;
    }
    readers.idle.push(db);
  }

  /** Everything may be in a log that was put aside, and be lost with the first write without it. */
  private void requireLog(Path path) {
    OpenFile.logPutAside(path)
        .ifPresent(
            log -> {
              throw refused(
                  String.format(
                      "nothing of Clew is in the file, but its log %s is beside it, which was put"
                          + " aside when the file was moved while it was open; rename it to %s-wal"
                          + " and open the store again, or move it elsewhere to begin anew",
                      log, path.getFileName()));
            });
  }

  private boolean isThere(Path path) {
    if (Files.isDirectory(path)) {
      throw refused("it is a folder; name a file, for example " + path.resolve("clew.db"));
    }
    try {
      Reasons.requireVisible(path);
    } catch (AccessDeniedException e) {
      throw refused("permission denied: this user may not look into its folder");
    }
    boolean there = Files.exists(path);
    if (!there && !options.opening().mayCreate()) {
      throw new ClewException.NoSuchStore(
          errors.where()
              + ": there is no such file; check the path, or create the store with"
              + " 'clew init --store URL'");
    }
    if (there && !Files.isReadable(path)) {
      throw refused("permission denied: this user may not read the file");
    }
    return there;
  }

  private ReadMode readMode(Path path) {
    try {
      return ReadMode.of(path);
    } catch (IOException e) {
      throw refused("it cannot be read (" + Reasons.of(e) + ")");
    }
  }

  private void checkWritable(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    try {
      if (folder != null) {
        boolean missing = Files.notExists(folder);
        Files.createDirectories(folder);
        if (missing) {
          options.opening().made("the folder " + folder);
        }
      }
    } catch (IOException e) {
      throw refused("cannot create its folder " + folder + " (" + Reasons.of(e) + ")");
    }
    if (Files.exists(path) && !Files.isWritable(path)) {
      throw refused("the file is read-only; make it writable for this user");
    }
    if (folder != null && !Files.isWritable(folder)) {
      throw refused("its folder " + folder + " is not writable for this user");
    }
    try {
      PrivateFiles.makeFile(path); // SQLite gives its log the mode of the file
    } catch (IOException e) {
      throw refused("cannot create the file (" + Reasons.of(e) + ")");
    }
  }

  private ClewException refused(String reason) {
    return new ClewException.StoreUnavailable(errors.where() + ": " + reason, null, false);
  }

  /**
   * Runs a write on the connection that writes. The {@link Committer} calls it from one thread at a
   * time.
   */
  <T> T write(Db.Reads<T> writes) throws SQLException {
    if (options.readOnly()) {
      throw refused("was opened to read only");
    }
    if (options.inMemory()) {
      Db db = acquire(readers);
      try {
        return writes.run(db);
      } finally {
        release(readers, db, true);
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

  /** Another connection, owned by the caller, or null if it could not hold a snapshot. */
  @Nullable Db extra() throws SQLException {
    boolean unlocked = readMode != null && readMode.isUnlocked();
    return shared != null || unlocked ? null : openPrepared();
  }

  /** Runs reads on a connection of their own. */
  <T> T read(Db.Reads<T> reads) {
    return read(readers, reads);
  }

  /** The same for a search, which only other searches wait for. */
  <T> T search(Db.Reads<T> reads) {
    return read(searchers, reads);
  }

  private <T> T read(Lane lane, Db.Reads<T> reads) {
    Db db = acquire(lane);
    boolean healthy = false;
    try {
      T result = reads.run(db);
      if (readMode != null && readMode.hasChanged()) {
        throw changed(null);
      }
      healthy = true;
      return result;
    } catch (SQLException e) {
      throw readMode != null && readMode.hasChanged() ? changed(e) : errors.unavailable(e);
    } catch (RuntimeException e) { // such as a wrong cursor: not the connection's fault
      healthy = true;
      throw e;
    } finally {
      release(lane, db, healthy);
    }
  }

  private ClewException changed(@Nullable SQLException cause) {
    return new ClewException.StoreUnavailable(
        errors.where() + ": somebody changed the file while it was read; try again", cause);
  }

  private Db acquire(Lane lane) {
    if (closed) {
      throw errors.closed();
    }
    lane.free.acquireUninterruptibly();
    if (closed) {
      lane.free.release();
      throw errors.closed();
    }
    Db db;
    synchronized (lane.idle) {
      db = lane.idle.poll();
    }
    if (db != null) {
      return db;
    }
    try {
      return openPrepared();
    } catch (SQLException e) {
      lane.free.release();
      throw errors.unavailable(e);
    } catch (ClewException e) {
      lane.free.release();
      throw e;
    }
  }

  private void release(Lane lane, Db db, boolean healthy) {
    boolean keep = healthy || db == shared;
    if (keep) {
      if (!healthy) {
        db.forgetStatements();
      }
      synchronized (lane.idle) {
        lane.idle.push(db);
      }
    } else {
      try {
        db.close();
      } catch (SQLException e) {
        // The caller already has an error.
      }
    }
    lane.free.release();
  }

  /** A connection to a file that was checked before. */
  private Db openPrepared() throws SQLException {
    Db db = open();
    if (readMode != null) {
      try {
        makeReadOnly(db);
      } catch (SQLException e) {
        db.close();
        throw e;
      }
    }
    return db;
  }

  private void makeReadOnly(Db db) throws SQLException {
    db.execute("PRAGMA temp_store = MEMORY");
    for (String view : views) {
      db.execute(view);
    }
    db.execute("PRAGMA query_only = ON");
  }

  private Db open() throws SQLException {
    requireFile(true); // not another file than the other connections have
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(readMode != null && readMode.isReadOnly());
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

  /** Settings that matter only to the connection that writes. */
  private Db forWriting(Db db) throws SQLException {
    db.execute(
        "PRAGMA cache_size = -" + WRITER_CACHE,
        "PRAGMA foreign_keys = ON",
        // For the undo data of a statement, which would go to a file beyond 64 KiB.
        "PRAGMA temp_store = MEMORY",
        "PRAGMA synchronous = " + options.synchronous(),
        "PRAGMA wal_autocheckpoint = " + CHECKPOINT_FRAMES,
        "PRAGMA secure_delete = ON");
    return db;
  }

  /** The path, as a URI if the driver would take part of it for options. */
  private String location() {
    String path = options.path();
    if (readMode != null && readMode.isUnlocked()) {
      return "file:" + Path.of(path).toUri().getRawPath() + "?immutable=1";
    }
    boolean plain = path.indexOf('?') < 0 && path.indexOf('%') < 0 && path.indexOf('#') < 0;
    return plain ? path : "file:" + Path.of(path).toUri().getRawPath();
  }

  /** Waits for running reads, then closes. The committer must be closed before. */
  void close() {
    closed = true;
    long deadline = System.nanoTime() + CLOSE_PATIENCE.toNanos();
    List<Db> open = new ArrayList<>();
    empty(readers, deadline, open);
    if (searchers != readers) {
      empty(searchers, deadline, open);
    }
    if (writer != null) {
      open.add(writer);
    }
    for (Db db : open) {
      try {
        db.close();
      } catch (SQLException e) {
        // Nothing acknowledged depends on it.
      }
    }
  }

  private static void empty(Lane lane, long deadline, List<Db> open) {
    boolean quiet = false;
    try {
      long patience = Math.max(0, deadline - System.nanoTime());
      quiet = lane.free.tryAcquire(lane.size, patience, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lane.idle) {
      open.addAll(lane.idle);
      lane.idle.clear();
    }
    if (quiet) {
      lane.free.release(lane.size);
    }
  }
}
