package dev.clew.server;

import dev.clew.testservers.PostgresServer;

/** Two servers on one PostgreSQL. */
class PostgresServersTest extends TwoServersContract {
  @Override
  String store() {
    return PostgresServer.shared().newUrl();
  }
}
