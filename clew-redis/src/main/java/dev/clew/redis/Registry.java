package dev.clew.redis;

import io.lettuce.core.ZAddArgs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/**
 * What is kept outside the slots of sessions and documents: the names of owners, and what may
 * expire. Thread-safe.
 *
 * <p>A script that needs an entry says so and changes nothing. The entry is written, and the script
 * runs again; so an entry exists before what it is for. If a process dies in between, the entry
 * leads nowhere and is removed when it is found. It is written again afterwards, in case it was
 * removed meanwhile.
 */
record Registry(Server server, Keys keys) {
  /**
   * Registers an owner and, unless {@code due} is empty, something that expires then at the
   * earliest.
   */
  void register(String owner, String place, String due) {
    server.all(
        keys.owners(),
        redis -> {
          List<Future<Long>> sent = new ArrayList<>();
          sent.add(redis.zadd(keys.owners(), 0, Wire.bytes(owner)));
          if (!due.isEmpty()) {
            sent.add(
                redis.zadd(
                    keys.due(), ZAddArgs.Builder.lt(), Double.parseDouble(due), Wire.bytes(place)));
          }
          return sent;
        });
  }
}
