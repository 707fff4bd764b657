package dev.clew.server;

/** Two servers on one Redis. */
class RedisServersTest extends TwoServersContract {
  @Override
  String store() {
    return TestServers.redis();
  }
}
