package dev.clew.server.internal.sessions;

import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.kit.Marks;
import dev.clew.server.internal.describe.ServerMetadata;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Sessions and entries as the API shows them. Stateless. */
final class SessionJson {
  /** Always six decimals, so that the strings sort like the times. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private SessionJson() {}

  static String time(Instant instant) {
    return TIME.format(instant);
  }

  static JsonObject session(SessionInfo info) {
    return session(info, info.title());
  }

  /** A session with a title that is not stored. */
  static JsonObject session(SessionInfo info, String title) {
    JsonObject json =
        new JsonObject()
            .put("session_id", info.key().id())
            .put("title", title)
            .put("created_at", time(info.createdAt()))
            .put("updated_at", time(info.updatedAt()))
            .put("item_count", info.itemCount())
            .put("bytes", info.bytes())
            .put("version", info.version())
            .put("tags", Family.visible(info.tags()))
            .put("metadata", ServerMetadata.visible(info))
            .put("pinned", info.pinned())
            .put("archived", Family.isArchived(info));
    info.timeToLive()
        .ifPresentOrElse(
            life ->
                json.put("ttl_seconds", life.toSeconds())
                    .put("expires_at", time(info.updatedAt().plus(life))),
            () -> json.put("ttl_seconds", (Object) null).put("expires_at", (Object) null));
    Family.name(info).ifPresent(name -> json.put("family", name));
    if (Family.isOlder(info)) {
      json.put("older", true);
    }
    Marks.project(info).ifPresent(id -> json.put("project", id));
    if (Marks.isTemporary(info)) {
      json.put("temporary", true);
    }
    ServerMetadata remembered = ServerMetadata.of(info);
    remembered.model().ifPresent(name -> json.put("model", name));
    remembered.instructions().ifPresent(text -> json.put("instructions", text));
    if (!remembered.settings().isEmpty()) {
      json.put("model_settings", remembered.settings());
    }
    info.parent()
        .ifPresent(
            parent ->
                json.put(
                    "forked_from",
                    new JsonObject()
                        .put("session_id", parent.key().id())
                        .put("position", parent.position())));
    return json;
  }

  static JsonObject entry(Entry entry) {
    JsonObject json =
        new JsonObject()
            .put("position", entry.position())
            .put("at", time(entry.addedAt()))
            .raw("item", entry.item().json());
    if (!entry.notes().isEmpty()) {
      json.put("notes", entry.notes());
    }
    if (entry.compacted()) {
      json.put("compacted", true);
    }
    return json;
  }
}
