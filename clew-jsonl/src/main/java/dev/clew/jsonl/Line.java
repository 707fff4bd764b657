package dev.clew.jsonl;

import dev.clew.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One line of a file: a JSON object whose last key is a checksum of all before it. Immutable.
 *
 * <pre>
 * {"type":"remove","data":{"positions":[4],"timestamp":1767225600000},…,"crc":"5a1c3b7e"}
 * </pre>
 *
 * The checksum is CRC-32C over the bytes up to the comma before it. A line of another program has
 * no checksum and none of our keys next to {@code data}; it is trusted if it is valid JSON.
 *
 * @param fields the raw text of each value
 * @param sealed whether it has a valid checksum
 * @param offset where it starts in the file
 * @param length how many bytes it has without its line end
 */
record Line(Map<String, String> fields, boolean sealed, long offset, int length) {
  private static final String SEAL = ",\"crc\":\"";
  private static final byte[] SEAL_BYTES = SEAL.getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 8;
  private static final int SEAL_LENGTH = SEAL_BYTES.length + DIGITS + 2;
  private static final Set<String> FOREIGN_KEYS = Set.of("type", "data");

  /** Writes a line with its line end, given a JSON object without the closing brace. */
  static void seal(CharSequence open, ByteArrayOutputStream to) {
    byte[] body = open.toString().getBytes(StandardCharsets.UTF_8);
    String seal = SEAL + HexFormat.of().toHexDigits(crc(body, 0, body.length)) + "\"}\n";
    to.writeBytes(body);
    to.writeBytes(seal.getBytes(StandardCharsets.US_ASCII));
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  /** The line in these bytes, if its checksum is valid. */
  static @Nullable Line sealed(byte[] bytes, int from, int to, long offset) {
    int seal = to - SEAL_LENGTH;
    if (seal <= from || bytes[to - 1] != '}' || bytes[to - 2] != '"') {
      return null;
    }
    for (int i = 0; i < SEAL_BYTES.length; i++) {
      if (bytes[seal + i] != SEAL_BYTES[i]) {
        return null;
      }
    }
    String digits = new String(bytes, to - 2 - DIGITS, DIGITS, StandardCharsets.ISO_8859_1);
    if (!digits.equals(HexFormat.of().toHexDigits(crc(bytes, from, seal)))) {
      return null;
    }
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return new Line(Json.fields(text), true, offset, to - from);
  }

  /** The line of another program in these bytes, if it is one. */
  static @Nullable Line foreign(byte[] bytes, int from, int to, long offset) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, from, to - from))
              .toString();
      Json.checkStored(text);
      Line line = new Line(Json.fields(text), false, offset, to - from);
      return line.isForeign() ? line : null;
    } catch (CharacterCodingException | Json.Malformed e) {
      return null; // damaged; the caller decides
    }
  }

  /** Our lines have keys next to the data, so one of them without a checksum is damaged. */
  private boolean isForeign() {
    return FOREIGN_KEYS.equals(fields.keySet()) || (isFlat() && !fields.containsKey("crc"));
  }

  /** Whether it is a message or metadata without a wrapper. */
  boolean isFlat() {
    return !fields.containsKey("data")
        && (fields.containsKey("role") || fields.containsKey("_type"));
  }

  String type() {
    String type = Json.string(fields.get(fields.containsKey("_type") ? "_type" : "type"));
    if (isFlat() && !"metadata".equals(type)) {
      return "message";
    }
    return type == null ? "" : type;
  }

  String data() {
    return fields.getOrDefault("data", "{}");
  }

  Optional<String> raw(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  boolean flag(String name) {
    return "true".equals(fields.get(name));
  }

  long number(String name) {
    return Long.parseLong(fields.getOrDefault(name, "0"));
  }

  /** Its number in its batch, and how many lines the batch has. */
  int[] part() {
    String raw = fields.get("part");
    if (raw == null || !sealed) {
      return new int[] {1, 1};
    }
    int comma = raw.indexOf(',');
    return new int[] {
      Integer.parseInt(raw.substring(1, comma)),
      Integer.parseInt(raw.substring(comma + 1, raw.length() - 1))
    };
  }

  /** Where the next line starts. */
  long end() {
    return offset + length + 1;
  }
}
