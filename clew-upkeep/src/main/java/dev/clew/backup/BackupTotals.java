package dev.clew.backup;

import dev.clew.json.JsonObject;
import java.util.Map;

/**
 * How much a backup restores to, the files it builds on included. Immutable.
 *
 * @param sessions how many sessions
 * @param items how many items their histories have
 * @param records how many documents
 */
public record BackupTotals(long sessions, long items, long records) {
  JsonObject line() {
    return new JsonObject().put("sessions", sessions).put("items", items).put("records", records);
  }

  static BackupTotals parse(Map<String, String> fields) {
    return new BackupTotals(
        Lines.number(fields, "sessions"),
        Lines.number(fields, "items"),
        Lines.number(fields, "records"));
  }
}
