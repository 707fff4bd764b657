package dev.clew.server;

/** Two servers on one SQLite file. */
class SqliteServersTest extends TwoServersContract {
  @Override
  String store() {
    return "sqlite:" + folder.resolve("two.db");
  }
}
