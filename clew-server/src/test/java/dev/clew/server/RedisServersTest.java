package dev.clew.server;

import dev.clew.testservers.RedisServer;

/** Two servers on one Redis. */
class RedisServersTest extends TwoServersContract {
  @Override
  String store() {
    return RedisServer.shared().newUrl();
  }
}
