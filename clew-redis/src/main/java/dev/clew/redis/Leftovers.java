package dev.clew.redis;

import dev.clew.SessionKey;
import dev.clew.spi.Inspection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Searches the keys for what an erasure left. Immutable.
 *
 * <p>The names of all keys contain the hash of their owner or session, so the server is asked for
 * names, on every node of a cluster. Lists and registers would not show keys that they have lost.
 */
record Leftovers(Server server, Keys keys) {
  /** Kinds of keys that hold only numbers, which stay for a while so that none is reused. */
  private static final Set<Character> NUMBERS = Set.of('h', 'w', 'f', 'v');

  Inspection.Report find(String owner, Optional<String> id) {
    String start =
        id.map(text -> keys.start(new SessionKey(owner, text))).orElseGet(() -> keys.start(owner));
    List<String> names = server.scan(start, start + "*");
    List<String> found = new ArrayList<>();
    names.stream().filter(this::isLeft).forEach(name -> found.add("key " + name));
    if (id.isPresent()) {
      return new Inspection.Report(names.size(), found);
    }
    byte[] member = Wire.bytes(owner);
    if (server.get(keys.owners(), redis -> redis.zscore(keys.owners(), member)) != null) {
      found.add("key " + Wire.text(keys.owners()) + " has the owner");
    }
    return new Inspection.Report(names.size() + 1, found);
  }

  private boolean isLeft(String name) {
    char kind = name.charAt(name.length() - 1);
    if (kind == 's') { // the numbers of a deleted session stay
      byte[] key = Wire.bytes(name);
      return server.get(key, redis -> redis.hexists(key, Wire.bytes("created")));
    }
    return !NUMBERS.contains(kind);
  }
}
