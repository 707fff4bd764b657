package dev.clew.jsonl;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.json.Json;
import dev.clew.kit.PrivateFiles;
import dev.clew.kit.SameFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a folder: exclusive for a writer, shared for readers. Thread-safe.
 *
 * <p>The operating system frees it when the process ends, however it ends. The content of the file
 * is for people: {@code {"pid":4711,"host":"berlin","since":"2026-01-01T00:00:00Z"}}.
 */
final class DirectoryLock implements AutoCloseable {
  /*
   * Folders in use by this process. It must not even open the lock file of one of them a second
   * time: closing any descriptor of a file frees all locks that a process has on it.
   */
  private static final Map<Path, String> HERE = new ConcurrentHashMap<>();

  private static final Set<StandardOpenOption> TO_READ = EnumSet.of(StandardOpenOption.READ);
  private static final Set<StandardOpenOption> TO_WRITE =
      EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final Path folder;
  private final @Nullable FileChannel channel;
  private final SameFile file;
  private boolean closed;

  private DirectoryLock(Path folder, @Nullable FileChannel channel, SameFile file) {
    this.folder = folder;
    this.channel = channel;
    this.file = file;
  }

  /** The locked file: while it exists under its name, so does the folder. */
  SameFile file() {
    return file;
  }

  /**
   * Takes the exclusive lock of an existing folder.
   *
   * @throws StoreUnavailable naming its holder
   */
  static DirectoryLock take(Path path) throws IOException {
    return of(path, false);
  }

  /**
   * Keeps writers away from an existing folder without changing it: if no store has ever written to
   * it, there is no lock file, and none is created.
   *
   * @throws StoreUnavailable naming the writer
   */
  static DirectoryLock share(Path path) throws IOException {
    return of(path, true);
  }

  private static DirectoryLock of(Path path, boolean shared) throws IOException {
    Path folder = path.toRealPath();
    String self = describe();
    String other = HERE.putIfAbsent(folder, self);
    if (other != null) {
      throw taken(folder, "this process", other);
    }
    boolean done = false;
    try {
      Path file = folder.resolve(Folders.LOCK);
      boolean nobody = shared && !Files.exists(file);
      FileChannel channel = nobody ? null : lock(folder, self, shared);
      done = true;
      return new DirectoryLock(folder, channel, SameFile.at(nobody ? folder : file));
    } finally {
      if (!done) {
        HERE.remove(folder);
      }
    }
  }

  private static FileChannel lock(Path folder, String self, boolean shared) throws IOException {
    Path file = folder.resolve(Folders.LOCK);
    FileChannel channel =
        shared
            ? FileChannel.open(file, TO_READ)
            : FileChannel.open(file, TO_WRITE, PrivateFiles.file(file));
    boolean done = false;
    try {
      FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
      if (lock == null) {
        throw taken(folder, "another process", Files.readString(file));
      }
      if (!shared) {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
      }
      done = true;
      return channel;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  private static String describe() {
    Map<String, Object> holder = new LinkedHashMap<>();
    holder.put("pid", ProcessHandle.current().pid());
    holder.put("host", host());
    holder.put("since", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return Json.write(holder);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private static StoreUnavailable taken(Path folder, String who, String holder) {
    return new StoreUnavailable(
        String.format(
            "the folder %s is in use by %s %s; one process at a time may open it: close"
                + " that one, or use another folder",
            folder, who, holder.strip()),
        null);
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true; // by now the folder may be another store's
      try {
        if (channel != null) {
          channel.close();
        }
      } finally {
        HERE.remove(folder);
      }
    }
  }
}
