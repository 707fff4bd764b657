package dev.clew.jsonl;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.kit.state.Description;
import dev.clew.kit.state.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a metadata line says of its session. Immutable.
 *
 * <pre>
 * {"type":"metadata","data":{"key":"feishu:oc_xxx","created_at":1767225600000,
 *  "updated_at":1767225600000,"title":"Trip","tags":["travel"],"metadata":{"activeSkill":"maps"}},…}
 * </pre>
 *
 * A key of another program's that we do not know goes to the metadata.
 *
 * @param id the session's id; none in a line of another program
 * @param createdAt when it was made
 * @param updatedAt when its history had last changed
 * @param description what people said about it
 * @param parent where it was forked from
 */
record Head(
    Optional<String> id,
    Instant createdAt,
    Instant updatedAt,
    Description description,
    Optional<SessionInfo.Parent> parent) {
  private static final Set<String> KNOWN =
      Set.of(
          "_type",
          "type",
          "key",
          "owner",
          "created_at",
          "updated_at",
          "title",
          "tags",
          "metadata",
          "archived",
          "pinned",
          "time_to_live",
          "parent");

  /** A session of which nothing is said. */
  static Head unknown(Instant at) {
    return new Head(Optional.empty(), at, at, Description.NONE, Optional.empty());
  }

  /** The metadata line of a session, without the closing brace. */
  static StringBuilder open(SessionState state) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("key", state.key().id());
    if (!state.key().owner().isEmpty()) {
      data.put("owner", state.key().owner());
    }
    data.put("created_at", state.createdAt().toEpochMilli());
    data.put("updated_at", state.updatedAt().toEpochMilli());
    Description said = state.description();
    putUnless(said.title().isEmpty(), data, "title", said.title());
    putUnless(said.tags().isEmpty(), data, "tags", said.tags());
    putUnless(said.metadata().isEmpty(), data, "metadata", said.metadata());
    putUnless(!said.archived(), data, "archived", true);
    putUnless(!said.pinned(), data, "pinned", true);
    said.timeToLive().ifPresent(life -> data.put("time_to_live", life.toString()));
    state.parent().ifPresent(parent -> data.put("parent", write(parent)));
    return new StringBuilder("{\"type\":\"metadata\",\"data\":").append(Json.write(data));
  }

  private static void putUnless(
      boolean missing, Map<String, Object> data, String name, Object value) {
    if (!missing) {
      data.put(name, value);
    }
  }

  private static Map<String, Object> write(SessionInfo.Parent parent) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("owner", parent.key().owner());
    data.put("key", parent.key().id());
    data.put("position", parent.position());
    return data;
  }

  /** What a line says; {@code before} for what it does not say. */
  static Head parse(Line line, Head before) {
    String raw = line.isFlat() ? null : line.data();
    Map<String, String> data = raw == null ? line.fields() : Json.fields(raw);
    Instant createdAt = time(line, data.get("created_at"), before.createdAt());
    return new Head(
        Optional.ofNullable(Json.string(data.get("key"))).or(before::id),
        createdAt,
        time(line, data.get("updated_at"), createdAt),
        description(data),
        Optional.ofNullable(data.get("parent")).map(Head::parent));
  }

  /** Ours are milliseconds. */
  private static Instant time(Line line, @Nullable String raw, Instant otherwise) {
    return line.sealed() && raw != null
        ? Instant.ofEpochMilli(Long.parseLong(raw))
        : Times.parse(raw, otherwise);
  }

  private static Description description(Map<String, String> data) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    if (read(data.get("metadata")) instanceof Map<?, ?> map) {
      map.forEach((name, value) -> metadata.put((String) name, value));
    }
    data.forEach(
        (name, raw) -> {
          Object value = KNOWN.contains(name) ? null : Json.read(raw);
          if (value != null) {
            metadata.put(name, value);
          }
        });
    Set<String> tags = new TreeSet<>();
    if (read(data.get("tags")) instanceof Collection<?> words) {
      words.forEach(word -> tags.add(String.valueOf(word)));
    }
    String life = Json.string(data.get("time_to_live"));
    return new Description(
        text(data.get("title")),
        Collections.unmodifiableMap(metadata),
        Collections.unmodifiableSet(tags),
        "true".equals(data.get("archived")),
        "true".equals(data.get("pinned")),
        Optional.ofNullable(life).map(Duration::parse));
  }

  private static @Nullable Object read(@Nullable String raw) {
    return raw == null ? null : Json.read(raw);
  }

  private static String text(@Nullable String raw) {
    String text = Json.string(raw);
    return text == null ? "" : text;
  }

  private static SessionInfo.Parent parent(String raw) {
    Map<String, String> data = Json.fields(raw);
    SessionKey key = new SessionKey(text(data.get("owner")), text(data.get("key")));
    return new SessionInfo.Parent(key, Long.parseLong(data.getOrDefault("position", "0")));
  }
}
