package dev.clew.backup;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery.Order;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.SessionCursor;
import java.time.Instant;
import java.util.Map;

/**
 * Where a session is in a chain of backups, and what tells whether it has changed since. Immutable.
 *
 * @param id the session
 * @param version its version when it was read
 * @param created when it was made, in milliseconds
 * @param updated when it was last updated
 * @param items how many items its history had
 * @param bytes about how many bytes they had
 * @param in the file: 0 is the one that says so, others count from 1 in its list of bases
 * @param at the offset of the session's block there
 */
record Place(
    String id, long version, long created, long updated, long items, long bytes, int in, long at) {

  static Place of(SessionInfo info, long at) {
    return new Place(
        info.key().id(),
        info.version(),
        info.createdAt().toEpochMilli(),
        info.updatedAt().toEpochMilli(),
        info.itemCount(),
        info.bytes(),
        0,
        at);
  }

  /** Whether the session is still what it was when it was written there. */
  boolean isStill(SessionInfo info) {
    return of(info, at).equals(in(0));
  }

  /** The same, as a file sees it whose list has this one's file elsewhere. */
  Place in(int file) {
    return new Place(id, version, created, updated, items, bytes, file, at);
  }

  /** Its place in a list, newest-updated first. */
  SessionCursor cursor() {
    return SessionCursor.of(
        Order.UPDATED, Instant.ofEpochMilli(created), Instant.ofEpochMilli(updated), "", id);
  }

  String line() {
    JsonObject line =
        new JsonObject()
            .put("id", id)
            .put("version", version)
            .put("created", created)
            .put("updated", updated)
            .put("items", items)
            .put("bytes", bytes);
    return (in == 0 ? line : line.put("in", in)).put("at", at).json();
  }

  static Place parse(String line) {
    Map<String, String> fields = Json.fields(line);
    return new Place(
        SessionKey.of(Lines.text(Lines.raw(fields, "id"))).id(), // which checks it
        Lines.number(fields, "version"),
        Lines.number(fields, "created"),
        Lines.number(fields, "updated"),
        Lines.number(fields, "items"),
        Lines.number(fields, "bytes"),
        Integer.parseInt(fields.getOrDefault("in", "0")),
        Lines.number(fields, "at"));
  }
}
