package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.kit.BackendStore;
import dev.clew.kit.StoreBuilder;
import dev.clew.kit.StoreSettings;
import dev.clew.kit.TimeToLive;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Sessions in a SQLite file, shared with other processes and with Python programs that use the
 * OpenAI Agents SDK. Thread-safe.
 *
 * <pre>{@code
 * try (SessionStore store = SqliteStore.open("conversations.db")) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 */
public final class SqliteStore extends BackendStore {
  private final SqliteOptions options;

  private SqliteStore(
      SqliteOptions options, StoreSettings settings, UnaryOperator<Connection> driver) {
    super(new SqliteBackend(options, driver), settings);
    this.options = options;
  }

  /** Opens a file, or {@code :memory:}, with the defaults. */
  public static SqliteStore open(String path) {
    return builder(path).open();
  }

  /** Opens a file with the defaults. */
  public static SqliteStore open(Path path) {
    return builder(path.toString()).open();
  }

  /** Settings for a file, or for {@code :memory:}. */
  public static Builder builder(String path) {
    return new Builder(path);
  }

  /** The file as it was given, or {@code :memory:}. */
  public String path() {
    return options.path();
  }

  /** The table of sessions. */
  public String sessionsTable() {
    return options.names().sessions();
  }

  /** The table of messages. */
  public String messagesTable() {
    return options.names().messages();
  }

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder extends StoreBuilder<Builder> {
    private final String path;
    private String sessionsTable = Names.DEFAULT.sessions();
    private String messagesTable = Names.DEFAULT.messages();
    private Synchronous synchronous = Synchronous.FULL;
    private Duration busyTimeout = Duration.ofSeconds(10);
    private long cacheBytes = 32 << 20;
    private UnaryOperator<Connection> driver = UnaryOperator.identity();

    private Builder(String path) {
      if (path.isEmpty()) {
        throw new IllegalArgumentException(
            "the SQLite store needs a path, for example sqlite:conversations.db or sqlite::memory:");
      }
      this.path = path;
    }

    /** The table of sessions; {@code agent_sessions}. */
    public Builder sessionsTable(String name) {
      sessionsTable = name;
      return this;
    }

    /** The table of messages; {@code agent_messages}. */
    public Builder messagesTable(String name) {
      messagesTable = name;
      return this;
    }

    /** When a commit counts as durable; {@link Synchronous#FULL}. */
    public Builder synchronous(Synchronous value) {
      synchronous = value;
      return this;
    }

    /** How long to wait for another program's lock; 10 s. */
    public Builder busyTimeout(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("the busy timeout is negative: " + value);
      }
      busyTimeout = value;
      return this;
    }

    /** How much memory the newest items of sessions in use may take; 32 MiB. 0 caches nothing. */
    public Builder cacheBytes(long value) {
      cacheBytes = value;
      return this;
    }

    /** Puts something between the store and the driver. */
    Builder driver(UnaryOperator<Connection> value) {
      driver = value;
      return this;
    }

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * Opens the store, creating the file and its folder if needed.
     *
     * @throws ClewException.StoreUnavailable naming the path and the remedy, if it cannot be
     */
    public SqliteStore open() {
      Names plain = Names.of(sessionsTable, messagesTable);
      Names names = timeToLive.map(TimeToLive::millis).map(plain::timeToLive).orElse(plain);
      SqliteOptions options =
          new SqliteOptions(
              path,
              names,
              synchronous,
              busyTimeout,
              timeToLive,
              cacheBytes,
              clock.orElse(Clock.systemUTC()),
              opening);
      return new SqliteStore(options, storeSettings(options.where()), driver);
    }
  }
}
