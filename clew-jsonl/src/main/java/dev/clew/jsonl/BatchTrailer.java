package dev.clew.jsonl;

import dev.clew.SessionInfo;
import dev.clew.json.Json;
import dev.clew.kit.CommitEffect.Sequence;
import java.util.List;

/**
 * What the last line of a batch says of the session, so that a reader needs only the end of the
 * file. Immutable. Written as an array in this order.
 *
 * @param version the session's version
 * @param count how many live entries it has
 * @param bytes how many bytes their items take
 * @param last the highest position given out
 * @param lowest the lowest position given out
 * @param updated when its history last changed
 * @param garbage about how many bytes of the file are no longer needed
 * @param head where in the file the newest metadata line starts
 * @param operation where the newest line with an operation id starts; -1 for none
 */
record BatchTrailer(
    long version,
    long count,
    long bytes,
    long last,
    long lowest,
    long updated,
    long garbage,
    long head,
    long operation) {

  static BatchTrailer of(
      SessionInfo info, Sequence sequence, long garbage, long head, long operation) {
    return new BatchTrailer(
        info.version(),
        info.itemCount(),
        info.bytes(),
        sequence.last(),
        sequence.lowest(),
        info.updatedAt().toEpochMilli(),
        garbage,
        head,
        operation);
  }

  /** The numbers given out so far. Old files counted positions and versions separately. */
  Sequence sequence() {
    return new Sequence(Math.max(version, last), lowest);
  }

  static BatchTrailer parse(String raw) {
    List<String> numbers = Json.elements(raw);
    long[] n = numbers.stream().mapToLong(Long::parseLong).toArray();
    return new BatchTrailer(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]);
  }

  /** Appends it as raw JSON. */
  void appendTo(StringBuilder line) {
    line.append('[').append(version);
    for (long number : new long[] {count, bytes, last, lowest, updated, garbage, head, operation}) {
      line.append(',').append(number);
    }
    line.append(']');
  }
}
