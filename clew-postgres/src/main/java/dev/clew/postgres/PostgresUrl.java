package dev.clew.postgres;

import dev.clew.kit.ServerUrl;
import dev.clew.kit.StoreUrl;
import java.time.Duration;
import java.util.Set;
import org.postgresql.ds.PGSimpleDataSource;

/** The URL {@code postgres://user:password@host:port/database?name=value&…}. Immutable. */
final class PostgresUrl {
  private static final int DEFAULT_PORT = 5432;
  private static final Set<String> PARAMETERS =
      Set.of(
          "schema", "pool_size", "ttl", "limit", "deadline", "migrate", "sslmode", "sslrootcert");
  private static final String USAGE =
      "a PostgreSQL store URL names a host and a database, for example"
          + " postgres://user:password@localhost:5432/database";

  private final ServerUrl url;
  private final StoreUrl parameters;

  PostgresUrl(String text) {
    url = ServerUrl.parse(text, USAGE, DEFAULT_PORT, PARAMETERS);
    parameters = url.parameters();
    if (url.path().isEmpty()) {
      throw new IllegalArgumentException(USAGE);
    }
  }

  /** Sets what the URL says. */
  void applyTo(PostgresStore.Builder builder) {
    parameters.text("schema").ifPresent(builder::schema);
    parameters.integer("pool_size", 1, 1000).ifPresent(builder::poolSize);
    builder.parameters(parameters);
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

  /** The name of the store in messages: without user and password. */
  String where() {
    return "PostgreSQL store " + url.address() + "/" + url.path();
  }

  /** Opens connections; if there are several hosts, to the one that accepts writes. */
  PGSimpleDataSource dataSource(Duration deadline, boolean readOnly) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(url.hosts().toArray(String[]::new));
    source.setPortNumbers(url.ports().stream().mapToInt(port -> port).toArray());
    source.setDatabaseName(url.path());
    if (!url.user().isEmpty()) {
      source.setUser(url.user());
    }
    url.password().filter(secret -> !secret.isEmpty()).ifPresent(source::setPassword);
    source.setApplicationName("clew");
    source.setConnectTimeout((int) Math.max(1, Math.min(5, deadline.toSeconds() / 2)));
    source.setTcpKeepAlive(true);
    if (readOnly) {
      source.setReadOnly(true);
      source.setReadOnlyMode("always");
    }
    if (url.hosts().size() > 1) {
      source.setTargetServerType("primary");
    }
    parameters.text("sslmode").ifPresent(source::setSslMode);
    parameters.text("sslrootcert").ifPresent(source::setSslRootCert);
    return source;
  }
}
