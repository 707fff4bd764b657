package dev.clew.postgres;

/** The same for URLs that begin with {@code postgresql:}. Stateless. */
public final class PostgresqlProvider extends PostgresProvider {
  /** For the service loader. */
  public PostgresqlProvider() {}

  @Override
  public String scheme() {
    return "postgresql";
  }
}
