package dev.clew.sqlite;

import dev.clew.ClewException;
import dev.clew.ItemLimits;
import dev.clew.Opening;
import dev.clew.SessionSettings;
import dev.clew.kit.BackendStore;
import dev.clew.kit.StoreSettings;
import dev.clew.kit.TimeToLive;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
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

  SqliteStore(SqliteOptions options, UnaryOperator<Connection> driver) {
    super(
        new SqliteBackend(options, driver),
        new StoreSettings(
            options.where(),
            options.settings(),
            options.limits(),
            options.opening().isReadOnly(),
            options.clock()));
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
  public static final class Builder {
    private final String path;
    private String sessionsTable = Names.DEFAULT.sessions();
    private String messagesTable = Names.DEFAULT.messages();
    private SessionSettings settings = SessionSettings.DEFAULT;
    private ItemLimits limits = ItemLimits.STORE;
    private Synchronous synchronous = Synchronous.FULL;
    private Duration busyTimeout = Duration.ofSeconds(10);
    private Optional<Duration> timeToLive = Optional.empty();
    private long cacheBytes = 32 << 20;
    private Clock clock = Clock.systemUTC();
    private Opening opening = Opening.CREATE;

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

    /** How sessions are read unless said otherwise; everything. */
    public Builder settings(SessionSettings value) {
      settings = value;
      return this;
    }

    /** How large an item may be; 16 MiB, 200 levels. */
    public Builder limits(ItemLimits value) {
      limits = value;
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

    /** How long a session lives after its last update; for ever. */
    public Builder timeToLive(Duration value) {
      TimeToLive.check("a session", value);
      timeToLive = Optional.of(value);
      return this;
    }

    /** How much memory the newest items of sessions in use may take; 32 MiB. 0 caches nothing. */
    public Builder cacheBytes(long value) {
      cacheBytes = value;
      return this;
    }

    /** What tells the time; the system's clock. */
    public Builder clock(Clock value) {
      clock = value;
      return this;
    }

    /** How far opening may go; {@link Opening#CREATE}. */
    Builder opening(Opening value) {
      opening = value;
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
      return new SqliteStore(
          new SqliteOptions(
              path,
              names,
              settings,
              limits,
              synchronous,
              busyTimeout,
              timeToLive,
              cacheBytes,
              clock,
              opening),
          UnaryOperator.identity());
    }
  }
}
