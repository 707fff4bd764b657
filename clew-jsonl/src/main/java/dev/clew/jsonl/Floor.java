package dev.clew.jsonl;

import dev.clew.json.Json;
import dev.clew.kit.CommitEffect.Sequence;
import java.util.List;
import java.util.Map;

/**
 * The lowest positions and versions of a new session, so that those of a removed one are never used
 * again. Thread-safe.
 *
 * <p>{@code .floor.jsonl} has one line for each time it was raised, which names no session.
 */
final class Floor {
  private final SideFile file;
  private long last;
  private long lowest;

  Floor(SideFile file) {
    this.file = file;
    for (Line line : file.read()) {
      Map<String, String> data = Json.fields(line.data());
      last = Math.max(last, Long.parseLong(data.getOrDefault("last", "0")));
      last = Math.max(last, Long.parseLong(data.getOrDefault("version", "0")));
      lowest = Math.min(lowest, Long.parseLong(data.getOrDefault("lowest", "0")));
    }
  }

  /** Where a new session begins. */
  synchronized Sequence start() {
    return new Sequence(last, lowest);
  }

  /** Reserves the numbers of a removed session. */
  synchronized void raise(Sequence used) {
    if (used.last() < last && used.lowest() >= lowest) {
      return;
    }
    // One more: a watcher at the last version of the old session is not at the start of the new.
    long nextLast = Math.max(last, used.last() + 1);
    long nextLowest = Math.min(lowest, used.lowest());
    String line =
        "{\"type\":\"floor\",\"data\":{\"last\":%s,\"lowest\":%s,\"version\":%s}"
            .formatted(nextLast, nextLowest, nextLast);
    if (file.isGrown()) {
      file.rewrite(List.of(line));
    } else {
      file.append(line, true);
    }
    last = nextLast;
    lowest = nextLowest;
  }
}
