package dev.clew.redis;

import dev.clew.Durability;
import dev.clew.SessionSettings;
import dev.clew.kit.StoreUrl;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The URL of a store: {@code redis://user:password@host:port/database?name=value&…}. Immutable.
 *
 * <p>The scheme is {@code redis}, {@code rediss} for TLS, {@code redis-cluster} or {@code
 * redis-sentinel}; with the last the path is the name of the primary. Its text never appears in a
 * message, because of the password.
 */
final class RedisUrl {
  private static final int DEFAULT_PORT = 6379;
  private static final int DEFAULT_SENTINEL_PORT = 26379;
  private static final Set<String> PARAMETERS =
      Set.of("prefix", "ttl", "limit", "deadline", "durability", "database");

  private final String scheme;
  private final StoreUrl parameters;
  private final Optional<String> user;
  private final Optional<String> password;
  private final List<String> hosts = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final String path;

  private RedisUrl(String url) {
    int colon = url.indexOf(':');
    scheme = url.substring(0, Math.max(0, colon));
    int question = url.indexOf('?');
    String address = url.substring(colon + 1, question < 0 ? url.length() : question);
    String query = question < 0 ? "" : url.substring(question);
    int at = address.lastIndexOf('@');
    if (!address.startsWith("//") || address.length() == 2) {
      throw new IllegalArgumentException(
          "a Redis store URL names a host, for example " + example());
    }
    int slash = address.indexOf('/', Math.max(2, at));
    String userInfo = at < 0 ? "" : address.substring(2, at);
    int split = userInfo.indexOf(':');
    // Without a colon it is the password: older servers have no users.
    user = part("user", split < 0 ? "" : userInfo.substring(0, split));
    password = part("password", userInfo.substring(split + 1));
    int end = slash < 0 ? address.length() : slash;
    for (String host : address.substring(at < 0 ? 2 : at + 1, end).split(",", -1)) {
      addHost(host);
    }
    path = slash < 0 ? "" : part("path", address.substring(slash + 1)).orElse("");
    parameters = StoreUrl.parse(scheme + "://" + hosts() + "/…" + query, PARAMETERS);
    if (isSentinel() && path.isEmpty()) {
      throw new IllegalArgumentException(
          "a Sentinel URL names the primary, for example " + example());
    }
    if (!isSentinel() && !path.isEmpty() && !path.matches("[0-9]{1,4}")) {
      throw new IllegalArgumentException(
          "'" + path + "' is not the number of a Redis database; write for example " + example());
    }
    if (isCluster() && database() != 0) {
      throw new IllegalArgumentException("a Redis Cluster has no databases but 0; leave it out");
    }
  }

  static RedisUrl parse(String url) {
    return new RedisUrl(url);
  }

  private String example() {
    return switch (scheme) {
      case "redis-sentinel" -> "redis-sentinel://:password@localhost:26379/primary";
      case "redis-cluster" -> "redis-cluster://:password@localhost:6379";
      default -> "redis://user:password@localhost:6379/0";
    };
  }

  private static Optional<String> part(String what, String raw) {
    if (raw.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(StoreUrl.parse("x:" + raw.replace("?", "%3F"), Set.of()).path());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the "
              + what
              + " in the store URL has a % that begins no escape; write a percent sign as %25");
    }
  }

  private void addHost(String text) {
    int bracket = text.indexOf(']');
    int colon = text.indexOf(':', Math.max(0, bracket));
    String host = colon < 0 ? text : text.substring(0, colon);
    String port =
        colon < 0
            ? String.valueOf(isSentinel() ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT)
            : text.substring(colon + 1);
    if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a host and port of a Redis server; write " + example());
    }
    hosts.add(host);
    ports.add(Integer.parseInt(port));
  }

  private String hosts() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      all.add(hosts.get(i) + ":" + ports.get(i));
    }
    return String.join(",", all);
  }

  boolean isSentinel() {
    return scheme.equals("redis-sentinel");
  }

  /** Whether it can only be a cluster; one server of a cluster may be named as well. */
  boolean isCluster() {
    return scheme.equals("redis-cluster") || (!isSentinel() && hosts.size() > 1);
  }

  /** Takes over the settings in the URL. */
  void applyTo(RedisStore.Builder builder) {
    parameters.text("prefix").ifPresent(builder::prefix);
    parameters
        .integer("limit", 1, Integer.MAX_VALUE)
        .ifPresent(limit -> builder.settings(SessionSettings.limit(limit)));
    parameters.duration("ttl").ifPresent(builder::timeToLive);
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
    if (isSentinel()) {
      return parameters.integer("database", 0, 9999).orElse(0);
    }
    return path.isEmpty()
        ? parameters.integer("database", 0, 9999).orElse(0)
        : Integer.parseInt(path);
  }

  /** The prefix of keys, if the URL says one. */
  Optional<String> prefix() {
    return parameters.text("prefix");
  }

  /** The store's name in messages: where it is, not who we are there. */
  String where() {
    return "Redis store " + hosts() + (path.isEmpty() ? "" : "/" + path);
  }

  /** One for a server or Sentinel, one for each seed of a cluster. */
  List<RedisURI> uris(Duration connect) {
    List<RedisURI> uris = new ArrayList<>();
    if (isSentinel()) {
      RedisURI.Builder builder =
          RedisURI.Builder.sentinel(hosts.get(0), ports.get(0), path).withDatabase(database());
      for (int i = 1; i < hosts.size(); i++) {
        builder.withSentinel(hosts.get(i), ports.get(i));
      }
      uris.add(finish(builder, connect));
      return uris;
    }
    for (int i = 0; i < hosts.size(); i++) {
      RedisURI.Builder builder =
          RedisURI.Builder.redis(hosts.get(i).replaceAll("[\\[\\]]", ""), ports.get(i))
              .withSsl(scheme.equals("rediss"))
              .withDatabase(database());
      uris.add(finish(builder, connect));
    }
    return uris;
  }

  private RedisURI finish(RedisURI.Builder builder, Duration connect) {
    builder.withTimeout(connect).withClientName("clew");
    password.ifPresent(
        secret -> {
          if (user.isPresent()) {
            builder.withAuthentication(user.get(), secret.toCharArray());
          } else {
            builder.withPassword(secret.toCharArray());
          }
        });
    return builder.build();
  }
}
