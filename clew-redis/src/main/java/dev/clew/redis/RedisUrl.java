package dev.clew.redis;

import dev.clew.Durability;
import dev.clew.kit.ServerUrl;
import dev.clew.kit.StoreUrl;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The URL {@code redis://user:password@host:port/database?name=value&…}. Immutable.
 *
 * <p>The scheme is {@code redis}, {@code rediss} for TLS, {@code redis-cluster} or {@code
 * redis-sentinel}; for the last the path is the name of the primary.
 */
final class RedisUrl {
  private static final int DEFAULT_PORT = 6379;
  private static final int DEFAULT_SENTINEL_PORT = 26379;
  private static final Set<String> PARAMETERS =
      Set.of("prefix", "ttl", "limit", "deadline", "durability", "database");

  private final ServerUrl url;
  private final StoreUrl parameters;

  RedisUrl(String text) {
    boolean sentinel = text.startsWith("redis-sentinel:");
    String example =
        sentinel
            ? "redis-sentinel://:password@localhost:26379/primary"
            : text.startsWith("redis-cluster:")
                ? "redis-cluster://:password@localhost:6379"
                : "redis://user:password@localhost:6379/0";
    url =
        ServerUrl.parse(
            text,
            "a Redis store URL names a host, for example " + example,
            sentinel ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT,
            PARAMETERS);
    parameters = url.parameters();
    String path = url.path();
    if (sentinel && path.isEmpty()) {
      throw new IllegalArgumentException(
          "a Sentinel URL names the primary, for example " + example);
    }
    if (!sentinel && !path.isEmpty() && !path.matches("[0-9]{1,4}")) {
      throw new IllegalArgumentException(
          "'" + path + "' is not the number of a Redis database; write for example " + example);
    }
    if (isCluster() && database() != 0) {
      throw new IllegalArgumentException("a Redis Cluster has only database 0; leave it out");
    }
  }

  private boolean isSentinel() {
    return url.scheme().equals("redis-sentinel");
  }

  /** Whether it can only be a cluster; a URL of one server may lead to a cluster too. */
  boolean isCluster() {
    return url.scheme().equals("redis-cluster") || (!isSentinel() && url.hosts().size() > 1);
  }

  /** Sets what the URL says. */
  void applyTo(RedisStore.Builder builder) {
    parameters.text("prefix").ifPresent(builder::prefix);
    builder.parameters(parameters);
    parameters.duration("deadline").ifPresent(builder::deadline);
    parameters.text("durability").ifPresent(value -> builder.durability(durability(value)));
  }

  private Durability durability(String value) {
    return switch (value) {
      case "process_crash" -> Durability.PROCESS_CRASH;
      case "power_loss" -> Durability.POWER_LOSS;
      default -> throw parameters.bad("durability", value, "process_crash or power_loss");
    };
  }

  private int database() {
    return isSentinel() || url.path().isEmpty()
        ? parameters.integer("database", 0, 9999).orElse(0)
        : Integer.parseInt(url.path());
  }

  /** The prefix of the keys, if the URL has one. */
  Optional<String> prefix() {
    return parameters.text("prefix");
  }

  /** The name of the store in messages: without user and password. */
  String where() {
    return "Redis store " + url.address() + (url.path().isEmpty() ? "" : "/" + url.path());
  }

  /** One for a server or Sentinel, one for each seed of a cluster. */
  List<RedisURI> uris(Duration connect) {
    List<String> hosts = url.hosts();
    List<Integer> ports = url.ports();
    List<RedisURI> uris = new ArrayList<>();
    if (isSentinel()) {
      RedisURI.Builder builder =
          RedisURI.Builder.sentinel(hosts.get(0), ports.get(0), url.path())
              .withDatabase(database());
      for (int i = 1; i < hosts.size(); i++) {
        builder.withSentinel(hosts.get(i), ports.get(i));
      }
      uris.add(finish(builder, connect));
      return uris;
    }
    for (int i = 0; i < hosts.size(); i++) {
      RedisURI.Builder builder =
          RedisURI.Builder.redis(hosts.get(i).replaceAll("[\\[\\]]", ""), ports.get(i))
              .withSsl(url.scheme().equals("rediss"))
              .withDatabase(database());
      uris.add(finish(builder, connect));
    }
    return uris;
  }

  private RedisURI finish(RedisURI.Builder builder, Duration connect) {
    builder.withTimeout(connect).withClientName("clew");
    // Without a colon it is the password: older servers have no users.
    String password = url.password().orElse(url.user());
    String user = url.password().isPresent() ? url.user() : "";
    if (!password.isEmpty() && user.isEmpty()) {
      builder.withPassword(password.toCharArray());
    } else if (!password.isEmpty()) {
      builder.withAuthentication(user, password.toCharArray());
    }
    return builder.build();
  }
}
