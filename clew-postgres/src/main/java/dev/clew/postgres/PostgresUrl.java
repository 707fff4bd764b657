package dev.clew.postgres;

import dev.clew.SessionSettings;
import dev.clew.kit.StoreUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The URL of a store: {@code postgres://user:password@host:port/database?name=value&…}. Immutable.
 *
 * <p>Its text never appears in a message, because of the password.
 */
final class PostgresUrl {
  private static final int DEFAULT_PORT = 5432;
  private static final Set<String> PARAMETERS =
      Set.of(
          "schema", "pool_size", "ttl", "limit", "deadline", "migrate", "sslmode", "sslrootcert");
  private static final String EXAMPLE = "postgres://user:password@localhost:5432/database";

  private final StoreUrl parameters;
  private final Optional<String> user;
  private final Optional<String> password;
  private final List<String> hosts = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final String database;

  private PostgresUrl(String url) {
    int colon = url.indexOf(':');
    int question = url.indexOf('?');
    String address = url.substring(colon + 1, question < 0 ? url.length() : question);
    String query = question < 0 ? "" : url.substring(question);
    int at = address.lastIndexOf('@');
    int slash = address.indexOf('/', Math.max(2, at));
    if (!address.startsWith("//") || slash < 0 || slash + 1 == address.length()) {
      throw new IllegalArgumentException(
          "a PostgreSQL store URL names a host and a database, for example " + EXAMPLE);
    }
    String userInfo = at < 0 ? "" : address.substring(2, at);
    int split = userInfo.indexOf(':');
    user = part("user", split < 0 ? userInfo : userInfo.substring(0, split));
    password = part("password", split < 0 ? "" : userInfo.substring(split + 1));
    for (String host : address.substring(at < 0 ? 2 : at + 1, slash).split(",", -1)) {
      addHost(host);
    }
    database = part("database", address.substring(slash + 1)).orElseThrow();
    parameters =
        StoreUrl.parse(url.substring(0, colon) + "://" + hosts() + "/…" + query, PARAMETERS);
  }

  static PostgresUrl parse(String url) {
    return new PostgresUrl(url);
  }

  private static Optional<String> part(String what, String raw) {
    if (raw.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(StoreUrl.parse("x:" + raw, Set.of()).path());
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
    String port = colon < 0 ? String.valueOf(DEFAULT_PORT) : text.substring(colon + 1);
    if (host.isEmpty() || !port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a host and port of a PostgreSQL server; write " + EXAMPLE);
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

  /** Takes over the settings in the URL. */
  void applyTo(PostgresStore.Builder builder) {
    parameters.text("schema").ifPresent(builder::schema);
    parameters.integer("pool_size", 1, 1000).ifPresent(builder::poolSize);
    parameters
        .integer("limit", 1, Integer.MAX_VALUE)
        .ifPresent(limit -> builder.settings(SessionSettings.limit(limit)));
    parameters.duration("ttl").ifPresent(builder::timeToLive);
    parameters.duration("deadline").ifPresent(builder::deadline);
    parameters.text("migrate").ifPresent(value -> builder.applySchema(isApply(value)));
  }

  private boolean isApply(String value) {
    return switch (value) {
      case "apply" -> true;
      case "check" -> false;
      default -> throw parameters.bad("migrate", value, "apply or check");
    };
  }

  /** The store's name in messages: where it is, not who we are there. */
  String where() {
    return "PostgreSQL store " + hosts() + "/" + database;
  }

  /** What makes connections; with several hosts, to the one that can be written to. */
  PGSimpleDataSource dataSource(Duration deadline, boolean readOnly) {
    int connectSeconds = (int) Math.max(1, Math.min(5, deadline.toSeconds() / 2));
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(hosts.toArray(String[]::new));
    source.setPortNumbers(ports.stream().mapToInt(port -> port).toArray());
    source.setDatabaseName(database);
    user.ifPresent(source::setUser);
    password.ifPresent(source::setPassword);
    source.setApplicationName("clew");
    source.setConnectTimeout(connectSeconds);
    source.setTcpKeepAlive(true);
    if (readOnly) {
      source.setReadOnly(true);
      source.setReadOnlyMode("always");
    }
    if (hosts.size() > 1) {
      source.setTargetServerType("primary");
    }
    parameters.text("sslmode").ifPresent(source::setSslMode);
    parameters.text("sslrootcert").ifPresent(source::setSslRootCert);
    return source;
  }
}
