package dev.clew.sqlite;

import dev.clew.kit.SameFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a store and the log next to it, as they were opened. Thread-safe.
 *
 * <p>SQLite finds a log by the name of its file. If the file is replaced while it is open, the next
 * program to open it would apply the old log to the new file. So whoever notices first renames that
 * log; nothing is lost.
 */
final class OpenFile {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

  private static final String ASIDE = ".old-";

  private final SameFile file;
  private final Map<Path, SameFile> beside = new HashMap<>(); // filled before it is shared
  private volatile boolean gone;

  private OpenFile(SameFile file) {
    this.file = file;
  }

  static OpenFile at(Path path) {
    try {
      OpenFile opened = new OpenFile(SameFile.at(path));
      for (String end : new String[] {"-wal", "-shm"}) {
        Path other = path.resolveSibling(path.getFileName() + end);
        if (Files.exists(other)) {
          opened.beside.put(other, SameFile.at(other));
        }
      }
      return opened;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The name of the newest log of a file that was put aside. */
  static Optional<String> logPutAside(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null) {
      return Optional.empty();
    }
    String start = path.getFileName() + "-wal" + ASIDE;
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(start))
          .max(Comparator.naturalOrder());
    } catch (IOException e) { // a folder that cannot be listed
      return Optional.empty();
    }
  }

  /**
   * Whether the file or its log was removed or replaced, now or before.
   *
   * @param now whether to check even if that was done a moment ago
   */
  boolean isGone(boolean now) {
    if (!gone && (isGone(file, now) || beside.values().stream().anyMatch(it -> isGone(it, now)))) {
      putAside();
    }
    return gone;
  }

  private static boolean isGone(SameFile file, boolean now) {
    return now ? file.isGone() : file.isGoneNow();
  }

  private synchronized void putAside() {
    if (gone) {
      return;
    }
    gone = true;
    beside.forEach(
        (path, same) -> {
          if (!same.isGone()) {
            Path aside =
                path.resolveSibling(path.getFileName() + ASIDE + System.currentTimeMillis());
            try {
              Files.move(path, aside);
              LOG.error("the file of {} was removed or replaced; it is now {}", path, aside);
            } catch (IOException e) {
              LOG.error("the file of {} was removed or replaced; put it aside by hand", path, e);
            }
          }
        });
  }
}
