package dev.clew.server;

/** Two servers on one PostgreSQL. */
class PostgresServersTest extends TwoServersContract {
  @Override
  String store() {
    return TestServers.postgres();
  }
}
