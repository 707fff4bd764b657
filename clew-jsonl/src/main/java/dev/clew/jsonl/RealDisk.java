package dev.clew.jsonl;

import dev.clew.kit.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * The files of this machine. Immutable and thread-safe.
 *
 * @param readOnly whether nothing may be changed
 */
record RealDisk(boolean readOnly) implements Disk {
  private static final boolean WINDOWS = java.io.File.separatorChar == '\\';

  private void requireWritable() throws IOException {
    if (readOnly) {
      throw new IOException("it was opened to read only");
    }
  }

  @Override
  public Disk.File open(Path path, boolean create) throws IOException {
    if (create) {
      requireWritable();
    }
    return new OpenFile(path, create, readOnly);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    PrivateFiles.keepMode(to, from);
    requireWritable();
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path path) throws IOException {
    requireWritable();
    Files.deleteIfExists(path);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    if (WINDOWS) {
      return; // folders cannot be opened there, and NTFS keeps a journal of names
    }
    Uninterrupted.run(
        () -> {
          try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
          }
        });
  }

  /** Work on a channel, which an interrupt would close. */
  private interface Work {
    void run() throws IOException;
  }

  /** Repeats interrupted work, and keeps the interrupt for the caller. */
  private static final class Uninterrupted {
    static void run(Work work) throws IOException {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            work.run();
            return;
          } catch (ClosedByInterruptException e) {
            interrupted = true;
            Thread.interrupted();
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private static final class OpenFile implements Disk.File {
    private final Path path;
    private final boolean readOnly;
    private FileChannel channel;
    private boolean closed;

    OpenFile(Path path, boolean create, boolean readOnly) throws IOException {
      this.path = path;
      this.readOnly = readOnly;
      this.channel = channel(create);
    }

    private FileChannel channel(boolean create) throws IOException {
      if (readOnly) {
        return FileChannel.open(path, StandardOpenOption.READ);
      }
      return create
          ? FileChannel.open(
              path,
              Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
              PrivateFiles.file(path))
          : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private void run(Work work) throws IOException {
      Uninterrupted.run(
          () -> {
            if (!channel.isOpen() && !closed) {
              channel = channel(false);
            }
            work.run();
          });
    }

    @Override
    public long size() throws IOException {
      long[] size = {0};
      run(() -> size[0] = channel.size());
      return size[0];
    }

    @Override
    public void read(ByteBuffer to, long at) throws IOException {
      int start = to.position();
      run(
          () -> {
            to.position(start);
            long place = at;
            while (to.hasRemaining()) {
              int count = channel.read(to, place);
              if (count < 0) {
                return;
              }
              place += count;
            }
          });
    }

    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      int start = from.position();
      run(
          () -> {
            from.position(start);
            long place = at;
            while (from.hasRemaining()) {
              place += channel.write(from, place);
            }
          });
    }

    @Override
    public void sync() throws IOException {
      run(() -> channel.force(false));
    }

    @Override
    public void truncate(long size) throws IOException {
      run(() -> channel.truncate(size));
    }

    @Override
    public void close() throws IOException {
      closed = true;
      channel.close();
    }
  }
}
