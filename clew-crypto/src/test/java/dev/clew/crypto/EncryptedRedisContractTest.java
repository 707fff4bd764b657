package dev.clew.crypto;

import dev.clew.SessionStore;
import dev.clew.redis.RedisStore;
import dev.clew.tck.StoreOptions;
import dev.clew.testservers.RedisServer;

class EncryptedRedisContractTest extends EncryptedContract {
  @Override
  SessionStore openPlain(StoreOptions options, int number) {
    RedisStore.Builder builder =
        RedisStore.builder(RedisServer.shared().url("safe" + number))
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }
}
