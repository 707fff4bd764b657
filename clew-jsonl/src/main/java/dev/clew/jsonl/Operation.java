package dev.clew.jsonl;

import dev.clew.Receipt;
import dev.clew.json.Json;
import dev.clew.kit.state.Operations.Done;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;

/**
 * An operation id in the last line of its batch. Immutable.
 *
 * <pre>
 * "operation":{"id":"turn-17","digest":"9f86…","version":12,"first":7,"last":8,"at":1767225600000,
 *  "previous":1024}
 * </pre>
 *
 * @param previous the offset of the line with the previous operation; -1 for none
 */
record Operation(Done done, long previous) {

  /** As raw JSON. */
  static String json(Done done, long previous) {
    StringBuilder json = new StringBuilder("{\"id\":").append(Json.quote(done.id()));
    json.append(",\"digest\":").append(Json.quote(done.digest()));
    json.append(",\"version\":").append(done.receipt().version());
    done.receipt().firstPosition().ifPresent(first -> json.append(",\"first\":").append(first));
    done.receipt().lastPosition().ifPresent(last -> json.append(",\"last\":").append(last));
    json.append(",\"at\":").append(done.at().toEpochMilli());
    return json.append(",\"previous\":").append(previous).append('}').toString();
  }

  static Operation parse(String raw) {
    Map<String, String> data = Json.fields(raw);
    Receipt receipt =
        new Receipt(
            Long.parseLong(data.getOrDefault("version", "0")),
            position(data, "first"),
            position(data, "last"),
            false);
    Done done =
        new Done(
            String.valueOf(Json.string(data.get("id"))),
            String.valueOf(Json.string(data.get("digest"))),
            receipt,
            Instant.ofEpochMilli(Long.parseLong(data.getOrDefault("at", "0"))));
    return new Operation(done, Long.parseLong(data.getOrDefault("previous", "-1")));
  }

  private static OptionalLong position(Map<String, String> data, String name) {
    String raw = data.get(name);
    return raw == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(raw));
  }
}
