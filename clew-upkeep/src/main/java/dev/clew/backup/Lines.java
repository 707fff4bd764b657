package dev.clew.backup;

import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Entries, sessions and documents as lines of JSON. Stateless.
 *
 * <p>Items stand in a line as the text they are, so nothing about them changes. A line that does
 * not hold what it should is an {@link IllegalArgumentException}.
 */
final class Lines {
  private Lines() {}

  static String entry(Entry entry) {
    JsonObject line =
        new JsonObject()
            .put("position", entry.position())
            .put("added", entry.addedAt().toEpochMilli());
    if (entry.compacted()) {
      line.put("compacted", true);
    }
    if (!entry.notes().isEmpty()) {
      line.put("notes", entry.notes());
    }
    return line.raw("item", entry.item().json()).json();
  }

  static Entry entry(String line) {
    Map<String, String> fields = Json.fields(line);
    String notes = fields.get("notes");
    return new Entry(
        number(fields, "position"),
        Item.trusted(raw(fields, "item")),
        time(fields, "added"),
        notes == null ? Map.of() : Json.readObject(notes),
        flag(fields, "compacted"));
  }

  /** What is known of a session, without the closing brace's fields of its place. */
  static JsonObject session(SessionInfo info) {
    JsonObject line =
        new JsonObject()
            .put("id", info.key().id())
            .put("version", info.version())
            .put("items", info.itemCount())
            .put("bytes", info.bytes())
            .put("created", info.createdAt().toEpochMilli())
            .put("updated", info.updatedAt().toEpochMilli())
            .put("title", info.title())
            .put("metadata", info.metadata())
            .put("tags", List.copyOf(info.tags()))
            .put("archived", info.archived())
            .put("pinned", info.pinned());
    info.timeToLive().ifPresent(life -> line.put("ttl_ms", life.toMillis()));
    info.parent()
        .ifPresent(
            parent ->
                line.put(
                    "parent",
                    new JsonObject()
                        .put("owner", parent.key().owner())
                        .put("id", parent.key().id())
                        .put("position", parent.position())));
    return line;
  }

  static SessionInfo session(String owner, Map<String, String> fields) {
    Set<String> tags = new TreeSet<>();
    Json.elements(raw(fields, "tags")).forEach(tag -> tags.add(text(tag)));
    Optional<Map<String, String>> parent =
        Optional.ofNullable(fields.get("parent")).map(Json::fields);
    return new SessionInfo(
        new SessionKey(owner, text(raw(fields, "id"))),
        number(fields, "version"),
        number(fields, "items"),
        number(fields, "bytes"),
        time(fields, "created"),
        time(fields, "updated"),
        text(raw(fields, "title")),
        Json.readObject(raw(fields, "metadata")),
        Collections.unmodifiableSet(tags),
        flag(fields, "archived"),
        flag(fields, "pinned"),
        Optional.ofNullable(fields.get("ttl_ms")).map(Long::parseLong).map(Duration::ofMillis),
        parent.map(
            from ->
                new SessionInfo.Parent(
                    new SessionKey(text(raw(from, "owner")), text(raw(from, "id"))),
                    number(from, "position"))),
        false);
  }

  static String document(Document document) {
    JsonObject line =
        new JsonObject().put("name", document.name()).put("version", document.version());
    document.expiresAt().ifPresent(end -> line.put("expires", end.toEpochMilli()));
    return line.put("json", document.json()).json();
  }

  static Document document(String owner, String line) {
    Map<String, String> fields = Json.fields(line);
    return new Document(
        owner,
        text(raw(fields, "name")),
        text(raw(fields, "json")),
        number(fields, "version"),
        Optional.ofNullable(fields.get("expires")).map(Long::parseLong).map(Instant::ofEpochMilli));
  }

  static List<String> split(String text) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lines.add(text.substring(start, end));
      start = end + 1;
    }
    return lines;
  }

  static String raw(Map<String, String> fields, String name) {
    String raw = fields.get(name);
    if (raw == null) {
      throw new IllegalArgumentException("a line has no '" + name + "'");
    }
    return raw;
  }

  static String text(String raw) {
    String text = Json.string(raw);
    if (text == null) {
      throw new IllegalArgumentException("a line has no text where it should");
    }
    return text;
  }

  static long number(Map<String, String> fields, String name) {
    return Long.parseLong(raw(fields, name));
  }

  static boolean flag(Map<String, String> fields, String name) {
    return "true".equals(fields.get(name));
  }

  private static Instant time(Map<String, String> fields, String name) {
    return Instant.ofEpochMilli(number(fields, name));
  }
}
