package dev.clew.jsonl;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.json.Json;
import dev.clew.kit.state.History;
import dev.clew.kit.state.Operations;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Reads a whole file from its start. Not thread-safe: make one for each file.
 *
 * <p>This is the slow way for every file: of other programs, with damaged lines, with an incomplete
 * write. {@link Tail} is the fast way for intact files.
 */
final class Replay {
  /** Text that shows that a damaged line did not append an entry. */
  private static final Pattern NO_APPEND =
      Pattern.compile(
          "\"position\":-|\"edit\":|\"archived\":|\"positions\":|\"remove\"|\"up_to\":|\"replace\"|\"created_at\":|\"metadata\"");

  private final History history = new History();
  private final List<Entry> compacted = new ArrayList<>();
  private final Operations operations = new Operations();
  private final List<Damage> damage = new ArrayList<>();
  private final byte[] bytes;
  private final LineScanner.Found found;
  private Head head;
  private boolean foreign;
  private long version;
  private long last;
  private long lowest;
  private long updated;
  private long garbage;
  private long headAt;
  private long operationAt = -1;

  Replay(byte[] bytes, Instant changedAt) {
    this.bytes = bytes;
    this.head = Head.unknown(changedAt);
    this.found = LineScanner.scan(bytes);
    for (LineScanner.Piece piece : found.pieces()) {
      Line line = piece.line();
      if (line == null) {
        damaged(piece);
      } else if (line.sealed()) {
        ours(line);
      } else {
        foreign(line, piece);
      }
    }
    damage.replaceAll(one -> isTaken(one) ? new Damage(OptionalLong.empty(), one.line()) : one);
  }

  /** Whether a readable entry has the presumed position of a damaged one. */
  private boolean isTaken(Damage one) {
    return one.position().isPresent() && history.at(one.position().getAsLong()).isPresent();
  }

  boolean isEmpty() {
    return found.pieces().isEmpty();
  }

  private void ours(Line line) {
    switch (line.type()) {
      case "metadata" -> {
        head = Head.parse(line, head);
        headAt = line.offset();
        updated = Math.max(updated, head.info().updatedAt().toEpochMilli());
      }
      case "message", "item" -> entry(EntryLine.parse(line));
      case "remove" -> remove(line);
      case "replace" -> replace(line);
      default -> {} // an operation id, or a kind of a later version
    }
    line.raw("operation")
        .ifPresent(
            raw -> {
              operations.add(Operation.parse(raw).done());
              operationAt = line.offset();
            });
    line.raw("state").map(BatchTrailer::parse).ifPresent(this::trailer);
  }

  private void trailer(BatchTrailer trailer) {
    version = Math.max(version, trailer.version());
    last = Math.max(last, trailer.last());
    lowest = Math.min(lowest, trailer.lowest());
    updated = Math.max(updated, trailer.updated());
    garbage = trailer.garbage();
  }

  private void entry(Entry entry) {
    last = Math.max(last, entry.position());
    lowest = Math.min(lowest, entry.position());
    if (entry.compacted()) {
      compacted.add(entry);
    } else {
      history.put(entry);
    }
  }

  private void remove(Line line) {
    Map<String, String> data = Json.fields(line.data());
    for (String raw : Json.elements(data.getOrDefault("positions", "[]"))) {
      long position = Long.parseLong(raw);
      history.remove(position);
      damage.removeIf(one -> one.position().equals(OptionalLong.of(position)));
    }
  }

  private void replace(Line line) {
    Map<String, String> data = Json.fields(line.data());
    long upTo = Long.parseLong(data.getOrDefault("up_to", "0"));
    List<Entry> before = history.upTo(upTo);
    before.forEach(entry -> history.remove(entry.position()));
    if (!"true".equals(data.get("drop"))) {
      before.forEach(entry -> compacted.add(EntryLine.compacted(entry)));
    }
    damage.removeIf(one -> one.position().isPresent() && one.position().getAsLong() <= upTo);
  }

  private void foreign(Line line, LineScanner.Piece piece) {
    foreign = true;
    version++;
    if (line.type().equals("metadata")) {
      head = Head.parse(line, head);
      headAt = line.offset();
      updated = Math.max(updated, head.info().updatedAt().toEpochMilli());
    } else if (EntryLine.isEntry(line)) {
      try {
        Entry entry = EntryLine.parseForeign(line, last + 1, head.info().updatedAt());
        entry(entry);
        updated = Math.max(updated, entry.addedAt().toEpochMilli());
      } catch (ClewException.InvalidItem e) {
        damaged(piece);
      }
    } else {
      damaged(piece);
    }
  }

  private void damaged(LineScanner.Piece piece) {
    version++;
    String line =
        new String(bytes, piece.from(), piece.to() - piece.from(), StandardCharsets.ISO_8859_1);
    if (NO_APPEND.matcher(line).find()) {
      damage.add(new Damage(OptionalLong.empty(), line));
    } else {
      last++; // whatever the damaged text says
      damage.add(new Damage(OptionalLong.of(last), line));
    }
  }

  History history() {
    return history;
  }

  List<Entry> compacted() {
    return compacted;
  }

  Operations operations() {
    return operations;
  }

  List<Damage> damage() {
    return damage;
  }

  Head head() {
    return head;
  }

  boolean isForeign() {
    return foreign;
  }

  long end() {
    return found.end();
  }

  boolean lineEnd() {
    return found.lineEnd();
  }

  BatchTrailer trailer() {
    return new BatchTrailer(
        Math.max(1, version),
        history.loaded(),
        history.loadedBytes(),
        last,
        lowest,
        updated == 0 ? head.info().updatedAt().toEpochMilli() : updated,
        garbage,
        headAt,
        operationAt);
  }
}
