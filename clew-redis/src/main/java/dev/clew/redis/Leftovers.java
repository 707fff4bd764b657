package dev.clew.redis;

import dev.clew.SessionKey;
import dev.clew.spi.Inspection;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks through the keys for what an erasure left. Immutable.
 *
 * <p>The hash of an owner is in the names of all keys of hers, that of a session in all of its own.
 * So the server is asked for names, on every node of a cluster; what lists and registers a store
 * would look into says nothing about keys that they forgot.
 */
record Leftovers(Server server, Keys keys) {
  private static final int SCAN = 1000;

  /** Kinds of keys that hold nothing but numbers, which stay for a while so that none is reused. */
  private static final Set<Character> NUMBERS = Set.of('h', 'w', 'f', 'v');

  Inspection.Report find(String owner, Optional<String> id) {
    String start =
        id.map(text -> keys.start(new SessionKey(owner, text))).orElseGet(() -> keys.start(owner));
    List<String> found = new ArrayList<>();
    long looked = 0;
    ScanArgs matching = ScanArgs.Builder.matches(start + "*").limit(SCAN);
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      ScanCursor from = cursor;
      KeyScanCursor<byte[]> page =
          server.get(Wire.bytes(start), redis -> redis.scan(from, matching));
      for (byte[] key : page.getKeys()) {
        looked++;
        if (isLeft(key)) {
          found.add("key " + new String(key, StandardCharsets.UTF_8));
        }
      }
      cursor = page;
    }
    if (id.isEmpty()) {
      looked++;
      byte[] name = Wire.bytes(owner);
      if (server.get(keys.owners(), redis -> redis.zscore(keys.owners(), name)) != null) {
        found.add("key " + new String(keys.owners(), StandardCharsets.UTF_8) + " has the owner");
      }
    }
    return new Inspection.Report(looked, found);
  }

  private boolean isLeft(byte[] key) {
    char kind = (char) key[key.length - 1];
    if (kind == 's') { // of a session that was deleted its numbers stay
      return server.get(key, redis -> redis.hexists(key, Wire.bytes("created")));
    }
    return !NUMBERS.contains(kind);
  }
}
