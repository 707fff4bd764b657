package dev.clew.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a path still names the open file: a removed or replaced file still takes writes,
 * which vanish with the process. Thread-safe. Where files have no inode numbers, as on Windows, an
 * open file cannot be removed either.
 */
public final class SameFile {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path path;
  private final @Nullable Object key;
  private final AtomicLong next;

  private SameFile(Path path, @Nullable Object key) {
    this.path = path;
    this.key = key;
    this.next = new AtomicLong(System.nanoTime());
  }

  /** The file that the path names now. */
  public static SameFile at(Path path) throws IOException {
    return new SameFile(path, key(path));
  }

  private static @Nullable Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** Whether the path names another file now, or none. */
  public boolean isGone() {
    try {
      return key != null && !key.equals(key(path));
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false; // what else is wrong shows when the file is used
    }
  }

  /** The same, checked at most once a second; {@code false} in between. */
  public boolean isGoneNow() {
    long due = next.get();
    return System.nanoTime() - due >= 0
        && next.compareAndSet(due, System.nanoTime() + LOOK_NANOS)
        && isGone();
  }
}
