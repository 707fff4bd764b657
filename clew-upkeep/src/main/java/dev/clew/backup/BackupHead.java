package dev.clew.backup;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Identifies a backup file. Immutable.
 *
 * @param id its own, by which other files know it
 * @param madeAt when it was begun
 * @param encrypted whether what it holds was encrypted by the store's keys
 * @param bases the earlier files it builds on, which must be in the same folder; none for a full
 *     backup
 */
public record BackupHead(String id, Instant madeAt, boolean encrypted, List<Base> bases) {
  /**
   * The format that is written, and the newest that can be read. In format 1 all entries of a
   * session were in one file.
   */
  static final int FORMAT = 2;

  /** An earlier backup. */
  public record Base(String id, String file) {}

  /** Makes the list unmodifiable. */
  public BackupHead {
    bases = List.copyOf(bases);
  }

  /** Whether it holds only what changed since another. */
  public boolean isIncrement() {
    return !bases.isEmpty();
  }

  String line() {
    List<String> others = new ArrayList<>();
    bases.forEach(
        base -> others.add(new JsonObject().put("id", base.id()).put("file", base.file()).json()));
    return new JsonObject()
        .put("format", FORMAT)
        .put("id", id)
        .put("made", madeAt.toEpochMilli())
        .put("encrypted", encrypted)
        .array("bases", others)
        .json();
  }

  static BackupHead parse(String line) {
    Map<String, String> fields = Json.fields(line);
    List<Base> bases = new ArrayList<>();
    for (String element : Json.elements(Lines.raw(fields, "bases"))) {
      Map<String, String> base = Json.fields(element);
      bases.add(new Base(Lines.text(Lines.raw(base, "id")), Lines.text(Lines.raw(base, "file"))));
    }
    return new BackupHead(
        Lines.text(Lines.raw(fields, "id")),
        Instant.ofEpochMilli(Lines.number(fields, "made")),
        Lines.flag(fields, "encrypted"),
        bases);
  }
}
