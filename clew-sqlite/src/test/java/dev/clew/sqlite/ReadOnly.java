package dev.clew.sqlite;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file made unwritable for the time of a test. Used by one thread.
 *
 * <p>Permissions do not bind root, so where they have no effect the file is looked at through a
 * mount that is read-only. A root that may not mount is in a container, where a part of the system
 * is read-only to it.
 */
final class ReadOnly implements Closeable {
  private static final Path OF_THE_SYSTEM = Path.of("/proc/sys/kernel/hostname");
  private final Path file;
  private final Closeable undo;

  private ReadOnly(Path file, Closeable undo) {
    this.file = file;
    this.undo = undo;
  }

  static ReadOnly make(Path file) throws IOException {
    boolean changed = file.toFile().setWritable(false);
    if (changed && !Files.isWritable(file)) {
      return new ReadOnly(file, () -> file.toFile().setWritable(true));
    }
    file.toFile().setWritable(true);
    Path view = Files.createDirectory(file.resolveSibling("view"));
    try {
      Mount mount = Mount.bindReadOnly(file.getParent(), view);
      return new ReadOnly(view.resolve(file.getFileName()), mount);
    } catch (IOException e) {
      if (Files.isWritable(OF_THE_SYSTEM)) {
        throw e;
      }
      return new ReadOnly(OF_THE_SYSTEM, () -> {});
    }
  }

  Path file() {
    return file;
  }

  @Override
  public void close() throws IOException {
    undo.close();
  }
}
