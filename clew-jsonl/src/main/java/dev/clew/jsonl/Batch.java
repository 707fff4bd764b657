package dev.clew.jsonl;

import dev.clew.Entry;
import dev.clew.Receipt;
import dev.clew.kit.state.Description;
import dev.clew.kit.state.Journal;
import dev.clew.kit.state.Operations.Done;
import dev.clew.kit.state.SessionState;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one change, collected while the change is made and written together. Not
 * thread-safe: used under the lock of its session.
 *
 * <p>If there are several, each says which of how many it is ({@code "part":[2,3]}). The last one
 * has the {@link BatchTrailer}, so a batch without its last line was never acknowledged.
 */
final class Batch implements Journal {
  private static final int MARK_SIZE = 256;
  private static final int SEAL_SIZE = 48;

  /** What was written, and where the file stands then. */
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

  /** Begins the file of a session. */
  void begin(SessionState state) {
    head = lines.size();
    lines.add(Head.open(state));
  }

  @Override
  public void described(SessionState state, Description before) {
    if (head == lines.size() - 1 && head >= 0) {
      lines.remove(head); // the session was made in this batch
    }
    begin(state);
    garbage += lines.get(head).length();
  }

  @Override
  public void appended(SessionState state, List<Entry> entries) {
    entries.forEach(entry -> lines.add(EntryLine.open(entry)));
  }

  @Override
  public void removed(SessionState state, List<Entry> entries) {
    StringBuilder line = new StringBuilder("{\"type\":\"remove\",\"data\":{\"positions\":[");
    for (int i = 0; i < entries.size(); i++) {
      line.append(i == 0 ? "" : ",").append(entries.get(i).position());
      garbage += EntryLine.size(entries.get(i));
    }
    line.append("],\"timestamp\":").append(state.updatedAt().toEpochMilli()).append('}');
    garbage += line.length();
    lines.add(line);
  }

  @Override
  public void edited(SessionState state, Entry before, Entry after) {
    lines.add(EntryLine.open(after).append(",\"edit\":true"));
    garbage += EntryLine.size(before);
  }

  @Override
  public void replaced(
      SessionState state, long upTo, boolean drop, List<Entry> before, List<Entry> after) {
    lines.add(
        new StringBuilder("{\"type\":\"replace\",\"data\":{\"up_to\":")
            .append(upTo)
            .append(",\"drop\":false}")); // for a drop the file is rewritten
    appended(state, after);
  }

  @Override
  public void remembered(
      SessionState state, String operationId, String digest, Receipt receipt, Instant at) {
    operation = new Done(operationId, digest, receipt, at);
  }

  /** About how many bytes will be written, so that they need not be moved while they are. */
  private int size() {
    int size = MARK_SIZE;
    for (StringBuilder line : lines) {
      size += line.length() + SEAL_SIZE;
    }
    return size;
  }

  /** The bytes to write at {@code end} of a file that stands at {@code before}. */
  Written write(SessionState state, long end, BatchTrailer before) {
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
        trailer = BatchTrailer.of(state, before.garbage() + garbage, headAt, operationAt);
        trailer.appendTo(line.append(",\"state\":"));
      }
      Line.seal(line, bytes);
    }
    return new Written(ByteBuffer.wrap(bytes.toByteArray()), trailer);
  }

  /**
   * The bytes of a file that holds all of a session and nothing else. What was collected is in the
   * state already, so it is not looked at.
   */
  static byte[] whole(SessionState state) {
    List<StringBuilder> all = new ArrayList<>();
    all.add(Head.open(state));
    state
        .archive()
        .forward(-1)
        .forEachRemaining(entry -> all.add(EntryLine.open(entry).append(",\"archived\":true")));
    state
        .history()
        .forward(OptionalLong.empty())
        .forEachRemaining(entry -> all.add(EntryLine.open(entry)));
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
        BatchTrailer.of(state, 0, 0, previous).appendTo(line.append(",\"state\":"));
      }
      Line.seal(line, bytes);
    }
    return bytes.toByteArray();
  }
}
