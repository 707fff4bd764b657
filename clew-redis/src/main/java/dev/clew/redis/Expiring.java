package dev.clew.redis;

import dev.clew.SessionKey;
import dev.clew.redis.SessionScripts.Conditions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.ScoredValue;
import java.util.List;

/**
 * Removes expired sessions and documents. Thread-safe.
 *
 * <p>An entry of {@code due} has the earliest time at which something can expire. At that time the
 * session is removed, or its entry moves to its expiry as it is then; so writes need not touch the
 * list.
 */
record Expiring(Server server, Keys keys, SessionScripts scripts) {
  /** Removes at most {@code limit} sessions and documents; returns how many. */
  int sweep(int limit, long now) {
    int swept = 0;
    while (swept < limit) {
      int left = limit - swept;
      List<ScoredValue<byte[]>> due =
          server.get(
              keys.due(),
              redis ->
                  redis.zrangebyscoreWithScores(
                      keys.due(),
                      Range.from(Boundary.<Number>unbounded(), Boundary.<Number>including(now)),
                      Limit.from(left)));
      if (due.isEmpty()) {
        return swept;
      }
      for (ScoredValue<byte[]> entry : due) {
        String place = Wire.text(entry.getValue());
        swept +=
            place.startsWith(RedisDocuments.DUE)
                ? documents(entry, place, limit - swept, now)
                : session(entry, place, now);
      }
    }
    return swept;
  }

  private int session(ScoredValue<byte[]> entry, String place, long now) {
    byte[] hash = keys.at(SessionKey.of("unknown"), place).session;
    List<KeyValue<byte[], byte[]>> name =
        server.get(hash, redis -> redis.hmget(hash, Wire.bytes("owner"), Wire.bytes("id")));
    if (!name.get(1).hasValue()) {
      move(entry, "");
      return 0;
    }
    SessionKey key =
        new SessionKey(
            Wire.text(name.get(0).getValueOrElse(new byte[0])), Wire.text(name.get(1).getValue()));
    Answer answer = scripts.run(Script.DELETE, keys.of(key), now, Conditions.FREE, "sweep", "");
    move(entry, answer.status().equals("ALIVE") ? answer.text(1) : "");
    if (!answer.status().equals("OK")) {
      return 0;
    }
    scripts.note(keys.of(key), answer.number(1));
    return 1;
  }

  private int documents(ScoredValue<byte[]> entry, String place, int limit, long now) {
    if (limit == 0) {
      return 0;
    }
    byte[][] documents = keys.documentsAt(place.substring(RedisDocuments.DUE.length()));
    Answer answer = server.once(Script.RECORD, documents, "sweep", now, limit);
    move(entry, answer.text(1));
    return (int) answer.number(0);
  }

  /** Moves an entry, unless another process has moved it. */
  private void move(ScoredValue<byte[]> entry, String due) {
    byte[][] list = {keys.due()};
    server.repeat(Script.DUE, list, entry.getValue(), (long) entry.getScore(), due);
  }
}
