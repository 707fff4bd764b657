package dev.clew.redis;

import dev.clew.Documents;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.protocol.AsyncCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Lists owners, and removes everything of one. Thread-safe. */
record Owners(Server server, Keys keys, SessionList list, Documents documents) {
  private static final int PAGE = 200;
  private static final int BATCH = 100;
  private static final long NUMBERS_MILLIS = 2 * 86_400_000L;

  /** The owners after a name that have something. */
  List<String> page(Optional<String> after, int limit, long now) {
    List<String> page = new ArrayList<>();
    Optional<String> last = after;
    while (true) {
      List<String> names = names(last);
      for (String name : names) {
        if (page.size() == limit) {
          return page;
        }
        if (hasSomething(name, now)) {
          page.add(name);
        }
      }
      if (names.size() < PAGE) {
        return page;
      }
      last = Optional.of(names.get(names.size() - 1));
    }
  }

  /** All owners that have, or had, something. */
  void each(Consumer<String> use) {
    List<String> names = names(Optional.empty());
    while (!names.isEmpty()) {
      names.forEach(use);
      names = names(Optional.of(names.get(names.size() - 1)));
    }
  }

  private boolean hasSomething(String owner, long now) {
    return hasEntries(owner)
        && (!documents.list(owner, "", Optional.empty(), 1).isEmpty()
            || !list.page(SessionQuery.of(owner).limit(1), now).sessions().isEmpty());
  }

  private List<String> names(Optional<String> after) {
    return server
        .get(
            keys.owners(),
            redis ->
                redis.zrangebylex(
                    keys.owners(),
                    Range.from(
                        after
                            .map(name -> Boundary.excluding(Wire.bytes(name)))
                            .orElseGet(Boundary::unbounded),
                        Boundary.<byte[]>unbounded()),
                    Limit.from(PAGE)))
        .stream()
        .map(Wire::text)
        .toList();
  }

  /** Removes everything of an owner; after an interruption, erasing again does the rest. */
  void erase(String owner, Consumer<SessionKey> eraseSession) {
    for (int bucket = 0; bucket < Keys.BUCKETS; bucket++) {
      List<String> ids = ids(owner, bucket);
      while (!ids.isEmpty()) {
        ids.forEach(id -> eraseSession.accept(new SessionKey(owner, id)));
        ids = ids(owner, bucket);
      }
    }
    forget(owner);
  }

  /** Ids of some sessions in a bucket, expired or not. */
  private List<String> ids(String owner, int bucket) {
    byte[] list = keys.bucket(Keys.ownerHash(owner), bucket, 'u');
    return server.get(list, redis -> redis.zrange(list, 0, BATCH - 1)).stream()
        .map(Wire::text)
        .toList();
  }

  /** Whether any list of the owner has an entry. */
  private boolean hasEntries(String owner) {
    return server
        .together(
            keys.owners(),
            () -> {
              List<AsyncCommand<byte[], byte[], Long>> several = new ArrayList<>();
              keys.buckets(owner, 'u').forEach(list -> several.add(Ask.exists(list)));
              several.add(Ask.exists(keys.documents(owner)[1]));
              return several;
            })
        .stream()
        .anyMatch(count -> count > 0);
  }

  /**
   * Removes what is not part of a session, then the name of the owner. Fences and versions stay for
   * a while, so that none is reused.
   */
  private void forget(String owner) {
    String hash = Keys.ownerHash(owner);
    server.all(
        keys.owners(),
        redis -> {
          List<Future<?>> sent = new ArrayList<>();
          for (int i = 0; i < Keys.BUCKETS; i++) {
            sent.add(redis.unlink(keys.bucket(hash, i, 'l'), keys.bucket(hash, i, 'g')));
            sent.add(redis.pexpire(keys.bucket(hash, i, 'f'), NUMBERS_MILLIS));
          }
          byte[][] documents = keys.documents(owner);
          sent.add(redis.unlink(documents[0], documents[1], documents[2]));
          sent.add(redis.pexpire(documents[3], NUMBERS_MILLIS));
          return sent.stream().map(Owners::any).toList();
        });
    byte[] name = Wire.bytes(owner);
    server.get(keys.owners(), redis -> redis.zrem(keys.owners(), name));
    if (hasEntries(owner)) { // the owner was used again meanwhile
      server.get(keys.owners(), redis -> redis.zadd(keys.owners(), 0, name));
    }
  }

  @SuppressWarnings("unchecked") // only waited for
  private static Future<Object> any(Future<?> future) {
    return (Future<Object>) future;
  }
}
