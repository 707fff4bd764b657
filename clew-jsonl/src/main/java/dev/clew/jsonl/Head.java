package dev.clew.jsonl;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.kit.SessionInfos;
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
 * The content of a metadata line. Immutable.
 *
 * <pre>
 * {"type":"metadata","data":{"key":"feishu:oc_xxx","created_at":1767225600000,
 *  "updated_at":1767225600000,"title":"Trip","tags":["travel"],"metadata":{"activeSkill":"maps"}},…}
 * </pre>
 *
 * Unknown keys of other programs are kept as metadata.
 *
 * @param id the session's id; none in a line of another program
 * @param info the description; without an id its key does not count
 */
record Head(Optional<String> id, SessionInfo info) {
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

  /** Of a file without a metadata line. */
  static Head unknown(Instant at) {
    return new Head(Optional.empty(), SessionInfos.created(SessionKey.of("?"), at));
  }

  /** The session with that key at the end of a file. */
  SessionInfo info(SessionKey key, BatchTrailer trailer) {
    return new SessionInfo(
        key,
        trailer.sequence().last(),
        trailer.count(),
        trailer.bytes(),
        info.createdAt(),
        Instant.ofEpochMilli(trailer.updated()),
        info.title(),
        info.metadata(),
        info.tags(),
        info.archived(),
        info.pinned(),
        info.timeToLive(),
        info.parent(),
        false);
  }

  /** The metadata line of a session, without the closing brace. */
  static StringBuilder open(SessionInfo info) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("key", info.key().id());
    if (!info.key().owner().isEmpty()) {
      data.put("owner", info.key().owner());
    }
    data.put("created_at", info.createdAt().toEpochMilli());
    data.put("updated_at", info.updatedAt().toEpochMilli());
    putUnless(info.title().isEmpty(), data, "title", info.title());
    putUnless(info.tags().isEmpty(), data, "tags", info.tags());
    putUnless(info.metadata().isEmpty(), data, "metadata", info.metadata());
    putUnless(!info.archived(), data, "archived", true);
    putUnless(!info.pinned(), data, "pinned", true);
    info.timeToLive().ifPresent(time -> data.put("time_to_live", time.toString()));
    info.parent().ifPresent(parent -> data.put("parent", write(parent)));
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

  /** The content of a line; {@code before} supplies what it lacks. */
  static Head parse(Line line, Head before) {
    String raw = line.isFlat() ? null : line.data();
    Map<String, String> data = raw == null ? line.fields() : Json.fields(raw);
    Instant createdAt = time(line, data.get("created_at"), before.info().createdAt());
    String timeToLive = Json.string(data.get("time_to_live"));
    SessionInfo info =
        new SessionInfo(
            before.info().key(),
            0,
            0,
            0,
            createdAt,
            time(line, data.get("updated_at"), createdAt),
            text(data.get("title")),
            metadata(data),
            tags(data),
            "true".equals(data.get("archived")),
            "true".equals(data.get("pinned")),
            Optional.ofNullable(timeToLive).map(Duration::parse),
            Optional.ofNullable(data.get("parent")).map(Head::parent),
            false);
    return new Head(Optional.ofNullable(Json.string(data.get("key"))).or(before::id), info);
  }

  /** Our times are milliseconds. */
  private static Instant time(Line line, @Nullable String raw, Instant otherwise) {
    return line.sealed() && raw != null
        ? Instant.ofEpochMilli(Long.parseLong(raw))
        : Times.parse(raw, otherwise);
  }

  /** The metadata, and all unknown keys. */
  private static Map<String, Object> metadata(Map<String, String> data) {
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
    return Collections.unmodifiableMap(metadata);
  }

  private static Set<String> tags(Map<String, String> data) {
    Set<String> tags = new TreeSet<>();
    if (read(data.get("tags")) instanceof Collection<?> words) {
      words.forEach(word -> tags.add(String.valueOf(word)));
    }
    return Collections.unmodifiableSet(tags);
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
