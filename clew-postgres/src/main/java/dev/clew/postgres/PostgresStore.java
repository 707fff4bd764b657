package dev.clew.postgres;

import dev.clew.ClewException;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ServerClock;
import dev.clew.kit.StoreBuilder;
import dev.clew.kit.StoreSettings;
import dev.clew.kit.TimeToLive;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sessions in a PostgreSQL database, shared by any number of hosts. Thread-safe.
 *
 * <pre>{@code
 * try (SessionStore store = PostgresStore.open("postgres://user:password@localhost/app")) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 */
public final class PostgresStore extends BackendStore {
  private PostgresStore(PostgresBackend backend, StoreSettings settings) {
    super(backend, settings);
  }

  /**
   * Opens the store a URL names: {@code postgres://user:password@host:port/database?name=value&…}.
   *
   * @throws IllegalArgumentException naming what is wrong with the URL
   * @throws ClewException.StoreUnavailable saying why it cannot be opened, and the remedy
   */
  public static PostgresStore open(String url) {
    return builder(url).open();
  }

  /** Settings for a store with connections of its own; those in the URL are taken over. */
  public static Builder builder(String url) {
    return new Builder(new PostgresUrl(url));
  }

  /**
   * Settings for a store on connections of the application's. They are given back after each call;
   * the source itself is never closed. While sessions are watched, one connection is kept.
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(Objects.requireNonNull(dataSource, "dataSource"));
  }

  /** By how many milliseconds the server is ahead of a clock. */
  private static long ahead(Db db, Clock local) throws SQLException {
    long before = local.millis();
    long now = db.number(before, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    return now - (before + local.millis()) / 2;
  }

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder extends StoreBuilder<Builder> {
    private final @Nullable PostgresUrl url;
    private final @Nullable DataSource dataSource;
    private String schema = Names.DEFAULT_SCHEMA;
    private boolean applySchema = true;
    private Duration deadline = Duration.ofSeconds(10);
    private int poolSize = 10;

    private Builder(DataSource dataSource) {
      this.url = null;
      this.dataSource = dataSource;
    }

    private Builder(PostgresUrl url) {
      this.url = url;
      this.dataSource = null;
      url.applyTo(this);
    }

    /** The schema that holds the tables; {@code clew}. */
    public Builder schema(String name) {
      schema = name;
      return this;
    }

    /**
     * Whether to make the tables if they are missing; yes. If not, a store whose tables are not
     * those of {@link PostgresSchema#sql()} does not open.
     */
    public Builder applySchema(boolean value) {
      applySchema = value;
      return this;
    }

    /** How long a call may take before it fails; 10 s. */
    public Builder deadline(Duration value) {
      if (value.toMillis() < 100) {
        throw new IllegalArgumentException("the deadline is at least 100 ms, not " + value);
      }
      deadline = value;
      return this;
    }

    /** The most connections of a pool of the store's own; 10. */
    public Builder poolSize(int value) {
      if (value < 1) {
        throw new IllegalArgumentException("a pool has at least one connection, not " + value);
      }
      poolSize = value;
      return this;
    }

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * Opens the store, making the tables if needed and wanted.
     *
     * @throws ClewException.StoreUnavailable saying what is wrong and the remedy
     */
    public PostgresStore open() {
      String where = url != null ? url.where() : "PostgreSQL store of the application's pool";
      PostgresOptions options =
          new PostgresOptions(
              where,
              Names.of(schema, timeToLive.map(TimeToLive::millis)),
              deadline,
              poolSize,
              opening);
      PostgresErrors errors = new PostgresErrors(where, deadline);
      Connections connections =
          dataSource != null
              ? Connections.borrowed(options, errors, dataSource)
              : Connections.pooled(
                  options,
                  errors,
                  Objects.requireNonNull(url).dataSource(deadline, opening.isReadOnly()));
      try {
        PostgresSchema.prepare(connections, errors, applySchema, opening);
        Clock time =
            clock.orElseGet(
                () -> ServerClock.of(local -> connections.read(db -> ahead(db, local))));
        return new PostgresStore(
            new PostgresBackend(options, errors, connections, time), storeSettings(where));
      } catch (RuntimeException e) {
        connections.close();
        throw e;
      }
    }
  }
}
