package dev.clew.jsonl;

import dev.clew.Entry;
import dev.clew.json.Json;
import dev.clew.kit.state.History;
import dev.clew.kit.state.Operations;
import dev.clew.kit.state.Operations.Done;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file from its end, as far as needed. Not thread-safe: used under the lock of its session.
 *
 * <p>Positions of appended entries grow through the file, so the newest live entries are those
 * nearest to the end that no later line removes. Entries that replaced a prefix are the oldest of
 * the history wherever they are in the file; they are held back until nothing can come between.
 *
 * <p>Throws {@link NeedsFullReplay} on everything but an intact file of ours.
 */
final class Tail implements Predicate<History> {
  private static final int FIRST_STEP = 32;
  private static final int MAX_STEP = 4096;

  private final Path path;
  private final BackwardLines lines;
  private final BatchTrailer trailer;
  private final Head head;
  private final Set<Long> removed = new HashSet<>();
  private final Map<Long, Entry> edited = new HashMap<>();
  private final TreeMap<Long, Entry> held = new TreeMap<>();
  private int step = FIRST_STEP;
  private long loaded;

  /** Everything up to this position was replaced. */
  private long cut = Long.MIN_VALUE;

  /** The last line, which was read to open the file. */
  private @Nullable Line pending;

  Tail(Path path, Disk.File file, long size) throws IOException {
    this.path = path;
    this.lines = new BackwardLines(file, size);
    Line last = lines.previous();
    if (last == null || last.raw("state").isEmpty() || last.part()[0] != last.part()[1]) {
      throw new NeedsFullReplay();
    }
    this.pending = last;
    this.trailer = BatchTrailer.parse(last.raw("state").get());
    Line metadata = trailer.head() == last.offset() ? last : lines.at(trailer.head());
    if (!metadata.type().equals("metadata")) {
      throw new NeedsFullReplay();
    }
    this.head = Head.parse(metadata, Head.unknown(Instant.EPOCH));
  }

  BatchTrailer trailer() {
    return trailer;
  }

  Head head() {
    return head;
  }

  /** Adds more entries, newest first; returns whether there may be more. */
  @Override
  public boolean test(History history) {
    try {
      long wanted = loaded + step;
      step = Math.min(step * 2, MAX_STEP);
      while (loaded < wanted && loaded + held.size() < trailer.count()) {
        Line line = next();
        if (line == null || isDone(line)) {
          break;
        }
        take(line, history);
      }
      if (loaded == wanted && loaded < trailer.count()) {
        return true;
      }
      if (loaded + held.size() != trailer.count()) {
        throw new NeedsFullReplay();
      }
      held.values().forEach(history::put);
      return false;
    } catch (IOException e) {
      throw Health.unreadable(path, e);
    }
  }

  private @Nullable Line next() throws IOException {
    Line line = pending;
    pending = null;
    return line == null ? lines.previous() : line;
  }

  /** Whether neither this line nor any before it can have a live entry. */
  private boolean isDone(Line line) {
    return cut > 0
        && EntryLine.isEntry(line)
        && !line.flag("edit")
        && line.number("position") > 0
        && line.number("position") <= cut;
  }

  private void take(Line line, History history) {
    switch (line.type()) {
      case "remove" -> {
        Map<String, String> data = Json.fields(line.data());
        for (String raw : Json.elements(data.getOrDefault("positions", "[]"))) {
          removed.add(Long.parseLong(raw));
        }
      }
      case "replace" -> {
        Map<String, String> data = Json.fields(line.data());
        cut = Math.max(cut, Long.parseLong(data.getOrDefault("up_to", "0")));
      }
      case "message", "item" -> takeEntry(line, history);
      default -> {} // metadata and operation ids are found by their offsets
    }
  }

  private void takeEntry(Line line, History history) {
    long position = line.number("position");
    if (position <= cut || line.flag("archived") || removed.contains(position)) {
      return;
    }
    if (line.flag("edit")) {
      edited.putIfAbsent(position, EntryLine.parse(line));
      return;
    }
    Entry later = edited.remove(position);
    Entry entry = later == null ? EntryLine.parse(line) : later;
    if (position < 0) {
      held.put(position, entry);
    } else {
      history.put(entry);
      loaded++;
    }
  }

  /** The operations of about the last day, oldest first. */
  List<Done> operations() {
    List<Done> operations = new ArrayList<>();
    try {
      long at = trailer.operation();
      Instant oldest = Instant.MIN;
      while (at >= 0) {
        Operation operation =
            Operation.parse(lines.at(at).raw("operation").orElseThrow(NeedsFullReplay::new));
        if (operations.isEmpty()) {
          oldest = operation.done().at().minus(Operations.REMEMBERED);
        }
        if (operation.done().at().isBefore(oldest) || operation.previous() >= at) {
          break;
        }
        operations.add(operation.done());
        at = operation.previous();
      }
    } catch (IOException e) {
      throw Health.unreadable(path, e);
    }
    Collections.reverse(operations);
    return operations;
  }
}
