package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Durability;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ServerClock;
import dev.clew.kit.StoreBuilder;
import dev.clew.kit.StoreSettings;
import dev.clew.kit.TimeToLive;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Sessions in Redis: one server, a primary behind Sentinel, or a Cluster, shared by any number of
 * hosts. Thread-safe.
 *
 * <pre>{@code
 * try (SessionStore store = RedisStore.open("redis://localhost")) {
 *   store.session("user_123").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 */
public final class RedisStore extends BackendStore {
  private RedisStore(RedisBackend backend, StoreSettings settings) {
    super(backend, settings);
  }

  /**
   * Opens the store a URL names: {@code redis://user:password@host:port/database?name=value&…}.
   *
   * @throws IllegalArgumentException naming what is wrong with the URL
   * @throws ClewException.StoreUnavailable saying why it cannot be opened, and the remedy
   */
  public static RedisStore open(String url) {
    return builder(url).open();
  }

  /** Settings for a store with a client of its own; those in the URL are taken over. */
  public static Builder builder(String url) {
    return new Builder(new RedisUrl(url));
  }

  /**
   * Settings for a store on a client of the application's, which is never closed. The store makes
   * connections of its own with it. If the client sends commands again after a lost connection, as
   * it does by default, every append gets an operation id, so that it takes effect once.
   */
  public static Builder builder(RedisClient client) {
    Objects.requireNonNull(client, "client");
    return new Builder(connecting -> connecting.borrow(client));
  }

  /** Settings for a store on a cluster client of the application's, which is never closed. */
  public static Builder builder(RedisClusterClient client) {
    Objects.requireNonNull(client, "client");
    return new Builder(connecting -> connecting.borrow(client));
  }

  /** By how many milliseconds the server, or a node of the cluster, is ahead of a clock. */
  private static long ahead(Server server, Clock local) {
    long before = local.millis();
    List<byte[]> time = server.get(new byte[0], redis -> redis.time());
    long now = Wire.number(time.get(0)) * 1000 + Wire.number(time.get(1)) / 1000;
    return now - (before + local.millis()) / 2;
  }

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder extends StoreBuilder<Builder> {
    private final Function<Connecting, Server> connect;
    private final String where;
    private String prefix = "clew";
    private Duration deadline = Duration.ofSeconds(10);
    private Optional<Durability> durability = Optional.empty();

    private Builder(Function<Connecting, Server> connect) {
      this.connect = connect;
      this.where = "Redis store of the application's client";
    }

    private Builder(RedisUrl url) {
      this.connect = connecting -> connecting.open(url);
      this.where = url.where();
      url.applyTo(this);
    }

    /** What the names of all keys begin with; {@code clew}. Stores of other prefixes are apart. */
    public Builder prefix(String value) {
      Keys.checkPrefix(value);
      prefix = value;
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

    /**
     * What the server keeps, where it does not tell (managed servers often refuse {@code CONFIG});
     * otherwise what it tells counts.
     */
    public Builder durability(Durability value) {
      durability = Optional.of(value);
      return this;
    }

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * Opens the store.
     *
     * @throws ClewException.StoreUnavailable saying what is wrong and the remedy
     */
    public RedisStore open() {
      RedisOptions options =
          new RedisOptions(
              where,
              prefix,
              timeToLive.map(TimeToLive::millis).orElse(null),
              deadline,
              opening.isReadOnly());
      RedisErrors errors = new RedisErrors(where, deadline);
      Server server = connect.apply(new Connecting(errors, deadline));
      try {
        Keys keys = new Keys(prefix);
        boolean older = Connecting.checkLayout(server, keys, errors, opening);
        Clock time = clock.orElseGet(() -> ServerClock.of(local -> ahead(server, local)));
        RedisBackend backend =
            new RedisBackend(
                options, server, time, Connecting.durability(server, durability, where));
        if (older) {
          backend.markAll();
          Connecting.raiseLayout(server, keys);
        }
        return new RedisStore(backend, storeSettings(where));
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    }
  }
}
