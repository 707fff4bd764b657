package dev.clew.jsonl;

import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.Step;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.kit.CommitEffect;
import dev.clew.kit.CommitEffect.Sequence;
import dev.clew.kit.state.Operations.Done;
import dev.clew.kit.state.SessionState;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one change, which are written together. Not thread-safe: used under the lock of its
 * session.
 *
 * <p>Each of several lines says its number and their count ({@code "part":[2,3]}). The last one has
 * the {@link BatchTrailer}, so a batch without it was never acknowledged.
 */
final class Batch {
  private static final int MARK_SIZE = 256;
  private static final int SEAL_SIZE = 48;

  /** The bytes, and the state of the file after them. */
  record Written(ByteBuffer bytes, BatchTrailer trailer) {}

  private final List<StringBuilder> lines = new ArrayList<>();
  private int head = -1;
  private long garbage;
  private @Nullable Done operation;

  boolean isEmpty() {
    return lines.isEmpty();
  }

  void clear() {
    lines.clear();
    head = -1;
    garbage = 0;
    operation = null;
  }

  /** Describes a session; for a new one this comes first. */
  void describe(SessionInfo info, boolean isNew) {
    head = lines.size();
    lines.add(Head.open(info));
    garbage += isNew ? 0 : lines.get(head).length();
  }

  /** Adds what a commit did. */
  void add(Step step, CommitEffect effect, Optional<Done> done) {
    if (step instanceof ReplacePrefix prefix) {
      lines.add(
          new StringBuilder("{\"type\":\"replace\",\"data\":{\"up_to\":")
              .append(prefix.upTo())
              .append(",\"drop\":false}")); // for a drop the file is rewritten
    } else if (!effect.removed().isEmpty()) {
      remove(effect.removed(), effect.info().orElseThrow().updatedAt());
    }
    for (Entry entry : effect.written()) {
      StringBuilder line = EntryLine.open(entry);
      if (step instanceof ReplaceItem) {
        line.append(",\"edit\":true");
        garbage += EntryLine.size(entry); // about as much as the one before
      }
      lines.add(line);
    }
    operation = done.orElse(null);
  }

  private void remove(List<Entry> entries, Instant at) {
    StringBuilder line = new StringBuilder("{\"type\":\"remove\",\"data\":{\"positions\":[");
    for (int i = 0; i < entries.size(); i++) {
      line.append(i == 0 ? "" : ",").append(entries.get(i).position());
      garbage += EntryLine.size(entries.get(i));
    }
    line.append("],\"timestamp\":").append(at.toEpochMilli()).append('}');
    garbage += line.length();
    lines.add(line);
  }

  /** About how many bytes will be written. */
  private int size() {
    int size = MARK_SIZE;
    for (StringBuilder line : lines) {
      size += line.length() + SEAL_SIZE;
    }
    return size;
  }

  /** The bytes to write at the {@code end} of a file whose last batch was {@code before}. */
  Written write(SessionInfo info, Sequence sequence, long end, BatchTrailer before) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size());
    long headAt = before.head();
    BatchTrailer trailer = before;
    for (int i = 0; i < lines.size(); i++) {
      StringBuilder line = lines.get(i);
      long at = end + bytes.size();
      if (i == head) {
        headAt = at;
      }
      if (lines.size() > 1) {
        line.append(",\"part\":[").append(i + 1).append(',').append(lines.size()).append(']');
      }
      if (i == lines.size() - 1) {
        long operationAt = before.operation();
        if (operation != null) {
          line.append(",\"operation\":").append(Operation.json(operation, operationAt));
          operationAt = at;
        }
        trailer = BatchTrailer.of(info, sequence, before.garbage() + garbage, headAt, operationAt);
        trailer.appendTo(line.append(",\"state\":"));
      }
      Line.seal(line, bytes);
    }
    return new Written(ByteBuffer.wrap(bytes.toByteArray()), trailer);
  }

  /** The bytes of a file that holds all of a session and nothing else. */
  static byte[] whole(SessionState state, Sequence sequence) {
    List<StringBuilder> all = new ArrayList<>();
    all.add(Head.open(state.info()));
    state.compacted().forEach(entry -> all.add(EntryLine.open(entry).append(",\"archived\":true")));
    state.history().all().values().forEach(entry -> all.add(EntryLine.open(entry)));
    List<Done> operations = state.operations().all();
    operations.forEach(done -> all.add(new StringBuilder("{\"type\":\"operation\",\"data\":{}")));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long previous = -1;
    for (int i = 0; i < all.size(); i++) {
      long at = bytes.size();
      StringBuilder line = all.get(i);
      int number = i - (all.size() - operations.size());
      if (number >= 0) {
        line.append(",\"operation\":").append(Operation.json(operations.get(number), previous));
        previous = at;
      }
      if (i == all.size() - 1) {
        BatchTrailer.of(state.info(), sequence, 0, 0, previous)
            .appendTo(line.append(",\"state\":"));
      }
      Line.seal(line, bytes);
    }
    return bytes.toByteArray();
  }
}
