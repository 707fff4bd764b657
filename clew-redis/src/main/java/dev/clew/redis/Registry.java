package dev.clew.redis;

import io.lettuce.core.ZAddArgs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/**
 * What is kept outside of the slots of sessions and records: the names of owners, and what may
 * expire. Thread-safe.
 *
 * <p>A script that is about to need an entry says so and changes nothing; the entry is written, and
 * the script is run again. So an entry is there before what it is for, and a process that dies in
 * between leaves at most one that leads nowhere, which is ignored and removed when it is met. It is
 * written once more afterwards, in case somebody removed it meanwhile because it led nowhere yet.
 */
record Registry(Server server, Keys keys) {
  /**
   * Makes entries for an owner and, unless {@code due} is empty, for something that ends then at
   * the earliest.
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
