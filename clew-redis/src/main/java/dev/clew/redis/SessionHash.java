package dev.clew.redis;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The hash of a session. Immutable. */
record SessionHash(Map<String, String> fields) {
  static SessionHash of(Map<byte[], byte[]> hash) {
    Map<String, String> fields = new HashMap<>();
    hash.forEach((name, value) -> fields.put(Wire.text(name), Wire.text(value)));
    return new SessionHash(fields);
  }

  /** The hash of names and values as a script returns them. */
  static SessionHash ofPairs(List<?> pairs) {
    Map<String, String> fields = new HashMap<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      fields.put(Wire.text(pairs.get(i)), Wire.text(pairs.get(i + 1)));
    }
    return new SessionHash(fields);
  }

  String get(String name) {
    return fields.getOrDefault(name, "");
  }

  private long number(String name) {
    String value = get(name);
    return value.isEmpty() ? 0 : Long.parseLong(value);
  }

  /** Whether the session exists and has not expired. */
  boolean isLive(@Nullable Long defaultLife, long now) {
    return new Head(!get("created").isEmpty(), number("updated"), life(null), version())
        .isLive(defaultLife, now);
  }

  long version() {
    return number("version");
  }

  private @Nullable Long life(@Nullable Long defaultLife) {
    return get("ttl").isEmpty() ? defaultLife : (Long) number("ttl");
  }

  Set<String> tags() {
    return get("tags").isEmpty()
        ? Set.of()
        : Collections.unmodifiableSet(new TreeSet<>(List.of(get("tags").split("\n", -1))));
  }

  SessionKey key() {
    return new SessionKey(get("owner"), get("id"));
  }

  SessionInfo info(@Nullable Long defaultLife) {
    return new SessionInfo(
        key(),
        version(),
        number("items"),
        number("bytes"),
        Instant.ofEpochMilli(number("created")),
        Instant.ofEpochMilli(number("updated")),
        get("title"),
        get("metadata").isEmpty() ? Map.of() : Json.readObject(get("metadata")),
        tags(),
        get("archived").equals("1"),
        get("pinned").equals("1"),
        Optional.ofNullable(life(defaultLife)).map(Duration::ofMillis),
        get("parent_id").isEmpty()
            ? Optional.empty()
            : Optional.of(
                new SessionInfo.Parent(
                    new SessionKey(get("parent_owner"), get("parent_id")),
                    number("parent_position"))),
        false);
  }
}
