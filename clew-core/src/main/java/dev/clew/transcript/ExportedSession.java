package dev.clew.transcript;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.SessionInfo;
import dev.clew.internal.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A session as a JSON document, to be read by people and to be imported again. Immutable. Items
 * stand in it exactly as they are stored:
 *
 * <pre>{@code
 * {
 *   "session_id": "trip",
 *   "title": "Trip to Kyoto",
 *   "tags": ["travel"],
 *   "metadata": {},
 *   "item_count": 2,
 *   "items": [
 *     {"role":"user","content":"Hello"},
 *     {"role":"assistant","content":"Hi!"}
 *   ]
 * }
 * }</pre>
 *
 * @param sessionId the session's id
 * @param title its title; empty if it has none or it is left out
 * @param tags its tags
 * @param metadata what an application noted about it
 * @param items its items, oldest first
 */
public record ExportedSession(
    String sessionId,
    String title,
    Set<String> tags,
    Map<String, Object> metadata,
    List<Item> items) {
  private static final ItemLimits NO_LIMITS = new ItemLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** Makes the collections unmodifiable. */
  public ExportedSession {
    tags = Collections.unmodifiableSet(new LinkedHashSet<>(tags));
    items = List.copyOf(items);
  }

  /** The items of a session and nothing else. */
  public static ExportedSession of(String sessionId, List<Item> items) {
    return new ExportedSession(sessionId, "", Set.of(), Map.of(), items);
  }

  /** The items of a session, with its title, tags and metadata. */
  public static ExportedSession of(SessionInfo info, List<Item> items) {
    return new ExportedSession(info.key().id(), info.title(), info.tags(), info.metadata(), items);
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
    out.append(",\n  \"item_count\": ").append(items.size());
    out.append(",\n  \"items\": [");
    String separator = "\n    ";
    for (Item item : items) {
      out.append(separator).append(item.json());
      separator = ",\n    ";
    }
    return out.append(items.isEmpty() ? "]" : "\n  ]").append("\n}\n").toString();
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException if it is none, saying why
   * @throws ClewException.InvalidItem naming the item that is none, such as {@code items[3]}
   */
  public static ExportedSession parse(String text) {
    Map<String, String> fields;
    try {
      Json.check(text, NO_LIMITS);
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
          "says that it has "
              + count
              + " items and has "
              + items.size()
              + "; nothing was imported, correct item_count if that is right");
    }
    String title = Json.string(fields.get("title"));
    return new ExportedSession(
        id, title == null ? "" : title, tags(fields), metadata(fields), items);
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
