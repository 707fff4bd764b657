package dev.clew.jsonl;

import dev.clew.json.Json;
import dev.clew.kit.state.Counters;
import java.util.List;
import java.util.Map;

/**
 * The positions and versions below which no new session begins, so that those of a removed session
 * are never used again. Thread-safe.
 *
 * <p>One line in {@code .floor.jsonl} for each time it was raised; it names no session.
 */
final class Floor {
  private final SideFile file;
  private long last;
  private long lowest;
  private long version;

  Floor(SideFile file) {
    this.file = file;
    for (Line line : file.read()) {
      Map<String, String> data = Json.fields(line.data());
      last = Math.max(last, Long.parseLong(data.getOrDefault("last", "0")));
      lowest = Math.min(lowest, Long.parseLong(data.getOrDefault("lowest", "0")));
      version = Math.max(version, Long.parseLong(data.getOrDefault("version", "0")));
    }
  }

  /** Where a new session begins. */
  synchronized Counters start() {
    return new Counters(last, lowest, version);
  }

  /** Makes sure that what these have given out is not given out again. */
  synchronized void raise(Counters used) {
    if (used.lastPosition() <= last
        && used.lowestPosition() >= lowest
        && used.lastVersion() < version) {
      return;
    }
    long nextLast = Math.max(last, used.lastPosition());
    long nextLowest = Math.min(lowest, used.lowestPosition());
    // One more: a watcher at the last version of the old session is not at the start of the new.
    long nextVersion = Math.max(version, used.lastVersion() + 1);
    String line =
        "{\"type\":\"floor\",\"data\":{\"last\":"
            + nextLast
            + ",\"lowest\":"
            + nextLowest
            + ",\"version\":"
            + nextVersion
            + "}";
    if (file.isGrown()) {
      file.rewrite(List.of(line));
    } else {
      file.append(line, true);
    }
    last = nextLast;
    lowest = nextLowest;
    version = nextVersion;
  }
}
