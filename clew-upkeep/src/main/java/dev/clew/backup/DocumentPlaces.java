package dev.clew.backup;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where the documents of an owner are in a chain of backups. Immutable.
 *
 * @param count how many there are
 * @param digest of all of them, which tells whether they have changed since
 * @param in the file, as in {@link Place}
 * @param blocks the blocks there, in the order of the names
 */
record DocumentPlaces(long count, String digest, int in, List<DocumentBlock> blocks) {
  /** A block and the last name in it. */
  record DocumentBlock(long at, String last) {}

  static DocumentPlaces none() {
    return new DocumentPlaces(0, "", 0, List.of());
  }

  DocumentPlaces in(int file) {
    return new DocumentPlaces(count, digest, file, blocks);
  }

  String line() {
    List<String> places = new ArrayList<>();
    for (DocumentBlock block : blocks) {
      places.add(new JsonObject().put("at", block.at()).put("last", block.last()).json());
    }
    return new JsonObject()
        .put("count", count)
        .put("digest", digest)
        .put("in", in)
        .array("blocks", places)
        .json();
  }

  static DocumentPlaces parse(String line) {
    Map<String, String> fields = Json.fields(line);
    List<DocumentBlock> blocks = new ArrayList<>();
    for (String element : Json.elements(Lines.raw(fields, "blocks"))) {
      Map<String, String> block = Json.fields(element);
      blocks.add(
          new DocumentBlock(Lines.number(block, "at"), Lines.text(Lines.raw(block, "last"))));
    }
    return new DocumentPlaces(
        Lines.number(fields, "count"),
        Lines.text(Lines.raw(fields, "digest")),
        (int) Lines.number(fields, "in"),
        List.copyOf(blocks));
  }
}
