package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Durability;
import dev.clew.Opening;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects to servers. Immutable. */
record Connecting(RedisErrors errors, Duration deadline) {
  private static final Logger LOG = LoggerFactory.getLogger(Connecting.class);
  private static final long PAUSE_NANOS = 50_000_000;
  private static final int ATTEMPTS = 5;
  private static final byte[] LAYOUT = {'3'};
  private static final byte[] LAYOUT_BEFORE = {'2'};

  /** The timeout for one connection; several tries fit into the deadline. */
  private Duration connectTime() {
    return Duration.ofMillis(Math.max(50, Math.min(5_000, deadline.toMillis() / 2)));
  }

  /** Connects to the server of a URL. A server of a cluster leads to the cluster. */
  Server open(RedisUrl url) {
    List<RedisURI> uris = url.uris(connectTime());
    ClientResources resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(
                Delay.fullJitter(
                    Duration.ofMillis(5), Duration.ofMillis(300), 5, TimeUnit.MILLISECONDS))
            .build();
    try {
      if (!url.isCluster()) {
        RedisClient client = RedisClient.create(resources, uris.get(0));
        client.setOptions(options());
        StatefulRedisConnection<byte[], byte[]> connection =
            connect(() -> client.connect(ByteArrayCodec.INSTANCE));
        if (!isCluster(connection)) {
          return Server.single(client, connection, resources, errors, deadline);
        }
        client.shutdown(0, 1, TimeUnit.SECONDS);
      }
      RedisClusterClient client = RedisClusterClient.create(resources, uris);
      client.setOptions(
          ClusterClientOptions.builder(options())
              .topologyRefreshOptions(
                  ClusterTopologyRefreshOptions.builder()
                      .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                      .enablePeriodicRefresh(Duration.ofSeconds(60))
                      .build())
              .build());
      return Server.cluster(
          client,
          connect(() -> client.connect(ByteArrayCodec.INSTANCE)),
          resources,
          errors,
          deadline);
    } catch (RuntimeException e) {
      Server.end(resources);
      throw e;
    }
  }

  /*
   * By default the driver repeats commands after a lost connection, which would append twice. A
   * filtered command never completes unless commands are rejected while disconnected. Deadlines
   * are ours, so the driver needs no timer for each command.
   */
  private ClientOptions options() {
    ClientOptions.Builder options = ClientOptions.builder();
    if (Maintenance.IS_KNOWN) {
      Maintenance.ignore(options);
    }
    return options
        .autoReconnect(true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .replayFilter(command -> true)
        .protocolVersion(ProtocolVersion.RESP2)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(connectTime())
                .keepAlive(true)
                .tcpNoDelay(true)
                .build())
        .build();
  }

  /** Lettuce 7 lets servers announce their maintenance; Lettuce 6 does not have these classes. */
  private static final class Maintenance {
    static final boolean IS_KNOWN =
        Arrays.stream(ClientOptions.Builder.class.getMethods())
            .anyMatch(method -> method.getName().equals("maintNotificationsConfig"));

    static void ignore(ClientOptions.Builder options) {
      options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }
  }

  Server borrow(RedisClient client) {
    StatefulRedisConnection<byte[], byte[]> connection =
        connect(() -> client.connect(ByteArrayCodec.INSTANCE));
    if (isCluster(connection)) {
      connection.close();
      throw new IllegalArgumentException(
          "the server belongs to a Redis Cluster; give a RedisClusterClient");
    }
    return Server.single(client, connection, null, errors, deadline);
  }

  Server borrow(RedisClusterClient client) {
    return Server.cluster(
        client, connect(() -> client.connect(ByteArrayCodec.INSTANCE)), null, errors, deadline);
  }

  /** Connects; waits only for a server that is loading its data. */
  private <T> T connect(Supplier<T> connect) {
    long ends = System.nanoTime() + deadline.toNanos();
    for (int attempt = 1; ; attempt++) {
      try {
        return connect.get();
      } catch (RedisException e) {
        boolean again =
            RedisErrors.code(e).equals("LOADING")
                || (RedisErrors.isCutShort(e) && attempt < ATTEMPTS);
        if (!again || System.nanoTime() > ends) {
          throw errors.unavailable(e, "");
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean isCluster(StatefulRedisConnection<byte[], byte[]> connection) {
    try {
      return connection.sync().info("cluster").contains("cluster_enabled:1");
    } catch (RedisException e) {
      return false; // not permitted; a cluster then replies with redirections
    }
  }

  /**
   * Marks the keys as ours, or finds that they have another layout.
   *
   * @return whether they have the previous layout, until {@link #raiseLayout}
   */
  static boolean checkLayout(Server server, Keys keys, RedisErrors errors, Opening opening) {
    byte[] layout = keys.layout();
    byte[] found = server.get(layout, redis -> redis.get(layout));
    if (found == null) {
      if (!opening.mayCreate()) {
        throw new ClewException.NoSuchStore(
            errors.where()
                + ": there are no keys of Clew with this prefix; check the URL, or create the store"
                + " with 'clew init --store URL'");
      }
      server.get(layout, redis -> redis.set(layout, LAYOUT, SetArgs.Builder.nx()));
      found = server.get(layout, redis -> redis.get(layout));
      opening.made("the key " + Wire.text(layout) + " in " + errors.where());
    }
    if (Arrays.equals(found, LAYOUT)) {
      return false;
    }
    if (Arrays.equals(found, LAYOUT_BEFORE)) {
      if (opening.isReadOnly()) {
        throw errors.unavailable(
            "was written by an older Clew; open it to write once, which brings it up to date");
      }
      return true;
    }
    throw errors.unavailable(
        "the keys are not of a layout that this version knows (key "
            + Wire.text(layout)
            + "); open it with the version that made them, or choose another prefix");
  }

  /** Records that the keys have the current layout. */
  static void raiseLayout(Server server, Keys keys) {
    server.get(keys.layout(), redis -> redis.set(keys.layout(), LAYOUT));
  }

  /** The durability that the server reports; what was stated if it does not tell. */
  static Durability durability(Server server, Optional<Durability> stated, String where) {
    Optional<Boolean> log = keepsLog(server);
    if (log.isEmpty()) {
      return stated.orElse(Durability.AS_THE_SERVER);
    }
    if (!log.get()) {
      LOG.warn(
          "{}: the server keeps no append-only file, so what it acknowledged since its last"
              + " snapshot is lost when it stops; set appendonly yes",
          where);
      return Durability.AS_THE_SERVER;
    }
    return syncsAlways(server) ? Durability.POWER_LOSS : Durability.PROCESS_CRASH;
  }

  /** Whether all nodes keep an append-only file; empty if the server does not tell. */
  private static Optional<Boolean> keepsLog(Server server) {
    try {
      List<String> modes = server.config("appendonly");
      return modes.isEmpty()
          ? Optional.empty()
          : Optional.of(modes.stream().allMatch("yes"::equals));
    } catch (ClewException e) {
      return Optional.empty(); // not permitted
    }
  }

  /** Whether all nodes sync that file before they reply. */
  private static boolean syncsAlways(Server server) {
    return server.config("appendfsync").stream().allMatch("always"::equals);
  }
}
