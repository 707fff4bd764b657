package dev.clew.transcript;

import dev.clew.ClewException;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A session as a JSON document, for people and for import. Immutable. Items are in it exactly as
 * they are stored:
 *
 * <pre>{@code
 * {
 *   "session_id": "trip",
 *   "title": "Trip to Kyoto",
 *   "tags": ["travel"],
 *   "metadata": {},
 *   "created_at": "2026-01-31T10:00:00Z",
 *   "updated_at": "2026-01-31T10:00:07.250Z",
 *   "item_count": 2,
 *   "items": [
 *     {"role":"user","content":"Hello"},
 *     {"role":"assistant","content":"Hi!"}
 *   ],
 *   "added_at": ["2026-01-31T10:00:00Z", "2026-01-31T10:00:07.250Z"]
 * }
 * }</pre>
 *
 * @param sessionId the session's id
 * @param title its title; empty if it has none or it is left out
 * @param tags its tags
 * @param metadata the application's metadata
 * @param times when it was created and last updated, if that is known
 * @param drafts its items, oldest first, with the times they were added at if those are known
 */
public record ExportedSession(
    String sessionId,
    String title,
    Set<String> tags,
    Map<String, Object> metadata,
    Optional<SessionUpdate.Times> times,
    List<Draft> drafts) {
  private static final ItemLimits NO_LIMITS = new ItemLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** Makes the collections unmodifiable. */
  public ExportedSession {
    tags = Collections.unmodifiableSet(new LinkedHashSet<>(tags));
    drafts = List.copyOf(drafts);
  }

  /** The items of a session and nothing else. */
  public static ExportedSession of(String sessionId, List<Item> items) {
    return new ExportedSession(
        sessionId,
        "",
        Set.of(),
        Map.of(),
        Optional.empty(),
        items.stream().map(Draft::of).toList());
  }

  /** The entries of a session, with its title, tags, metadata and times. */
  public static ExportedSession of(SessionInfo info, List<Entry> entries) {
    return new ExportedSession(
        info.key().id(),
        info.title(),
        info.tags(),
        info.metadata(),
        Optional.of(new SessionUpdate.Times(info.createdAt(), info.updatedAt())),
        entries.stream().map(Draft::of).toList());
  }

  /** Title, tags, metadata and times, without the items. */
  public SessionUpdate description() {
    SessionUpdate said = SessionUpdate.none().title(title).tags(tags).metadata(metadata);
    return times.map(known -> said.times(known.createdAt(), known.updatedAt())).orElse(said);
  }

  /** The document, an item on each line. */
  public String toJson() {
    StringBuilder out = new StringBuilder("{\n  \"session_id\": ").append(Json.quote(sessionId));
    if (!title.isEmpty()) {
      out.append(",\n  \"title\": ").append(Json.quote(title));
    }
    if (!tags.isEmpty()) {
      out.append(",\n  \"tags\": ").append(Json.write(tags));
    }
    if (!metadata.isEmpty()) {
      out.append(",\n  \"metadata\": ").append(Json.write(metadata));
    }
    times.ifPresent(
        known -> {
          out.append(",\n  \"created_at\": \"").append(known.createdAt());
          out.append("\",\n  \"updated_at\": \"").append(known.updatedAt()).append('"');
        });
    out.append(",\n  \"item_count\": ").append(drafts.size());
    out.append(",\n  \"items\": [");
    String separator = "\n    ";
    for (Draft draft : drafts) {
      out.append(separator).append(draft.item().json());
      separator = ",\n    ";
    }
    out.append(drafts.isEmpty() ? "]" : "\n  ]");
    if (!drafts.isEmpty() && drafts.stream().allMatch(draft -> draft.addedAt().isPresent())) {
      out.append(",\n  \"added_at\": [");
      separator = "\"";
      for (Draft draft : drafts) {
        out.append(separator).append(draft.addedAt().orElseThrow()).append('"');
        separator = ", \"";
      }
      out.append(']');
    }
    return out.append("\n}\n").toString();
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException if it is not one, saying why
   * @throws ClewException.InvalidItem naming the invalid item, such as {@code items[3]}
   */
  public static ExportedSession parse(String text) {
    Map<String, String> fields;
    try {
      Json.check(text, NO_LIMITS.json());
      fields = Json.fields(text);
    } catch (Json.Malformed e) {
      throw new IllegalArgumentException("is no export: " + e.getMessage(), e);
    }
    String id = Json.string(fields.get("session_id"));
    String array = fields.get("items");
    if (id == null || array == null || !array.startsWith("[")) {
      throw new IllegalArgumentException(
          "is no export: it needs \"session_id\", a text, and \"items\", an array");
    }
    List<Item> items = items(Json.elements(array));
    String count = fields.getOrDefault("item_count", String.valueOf(items.size()));
    if (!count.equals(String.valueOf(items.size()))) {
      throw new IllegalArgumentException(
          String.format(
              "says that it has %s items and has %s; nothing was imported, correct "
                  + "item_count if that is right",
              count, items.size()));
    }
    String title = Json.string(fields.get("title"));
    return new ExportedSession(
        id,
        title == null ? "" : title,
        tags(fields),
        metadata(fields),
        times(fields),
        drafts(items, fields));
  }

  private static Optional<SessionUpdate.Times> times(Map<String, String> fields) {
    String created = fields.get("created_at");
    String updated = fields.get("updated_at");
    String made = created == null ? updated : created;
    return made == null
        ? Optional.empty()
        : Optional.of(
            new SessionUpdate.Times(
                time("created_at", made), time("updated_at", updated == null ? made : updated)));
  }

  private static Instant time(String name, String raw) {
    String text = Json.string(raw);
    try {
      return Instant.parse(text == null ? raw : text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          String.format(
              "is no export: \"%s\" has %s, not a time such as \"2026-01-31T10:00:00Z\"",
              name, raw),
          e);
    }
  }

  /** Items with the times that {@code added_at} has, one for each. */
  private static List<Draft> drafts(List<Item> items, Map<String, String> fields) {
    String array = fields.get("added_at");
    if (array == null) {
      return items.stream().map(Draft::of).toList();
    }
    List<String> times = array.startsWith("[") ? Json.elements(array) : List.of();
    if (times.size() != items.size()) {
      throw new IllegalArgumentException(
          "has %s items and \"added_at\" not as many times; leave it out if they are not known"
              .formatted(items.size()));
    }
    List<Draft> drafts = new ArrayList<>(items.size());
    for (Item item : items) {
      drafts.add(Draft.of(item).at(time("added_at", times.get(drafts.size()))));
    }
    return drafts;
  }

  private static List<Item> items(List<String> texts) {
    List<Item> items = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      try {
        items.add(Item.parse(texts.get(i), ItemLimits.STORE));
      } catch (ClewException.InvalidItem e) {
        throw new ClewException.InvalidItem("items[" + i + "]: " + e.getMessage());
      }
    }
    return items;
  }

  private static Set<String> tags(Map<String, String> fields) {
    String array = fields.getOrDefault("tags", "[]");
    Set<String> tags = new LinkedHashSet<>();
    for (String element : array.startsWith("[") ? Json.elements(array) : List.of("")) {
      String tag = Json.string(element);
      if (tag == null) {
        throw new IllegalArgumentException("is no export: \"tags\" is not an array of texts");
      }
      tags.add(tag);
    }
    return tags;
  }

  private static Map<String, Object> metadata(Map<String, String> fields) {
    String object = fields.getOrDefault("metadata", "{}");
    if (!object.startsWith("{")) {
      throw new IllegalArgumentException("is no export: \"metadata\" is not an object");
    }
    return Json.readObject(object);
  }
}
