package dev.clew.jsonl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The real disk, which fails when it is told to and counts what is done to it. Thread-safe. */
final class FaultyDisk implements Disk {
  /** Decides what fails. */
  @FunctionalInterface
  interface Fault {
    Fault NONE = (operation, path) -> false;

    boolean strikes(String operation, Path path);
  }

  final AtomicInteger openFiles = new AtomicInteger();
  final AtomicLong bytesRead = new AtomicLong();
  final List<String> operations = new ArrayList<>();
  private final Disk real = new RealDisk(false);
  private final boolean syncs;
  private volatile Fault fault = Fault.NONE;

  FaultyDisk() {
    this(true);
  }

  private FaultyDisk(boolean syncs) {
    this.syncs = syncs;
  }

  /** For tests of what is in the files, not of when it is on the disk. */
  static FaultyDisk withoutSyncs() {
    return new FaultyDisk(false);
  }

  void fail(Fault value) {
    fault = value;
  }

  /** Every operation fails once this many have been done, as if the process had been killed. */
  void dieAfter(int count) {
    AtomicInteger left = new AtomicInteger(count);
    fault = (operation, path) -> left.getAndDecrement() <= 0;
  }

  private void note(String operation) {
    if (syncs) {
      synchronized (operations) {
        operations.add(operation);
      }
    }
  }

  private void step(String operation, Path path) throws IOException {
    note(operation);
    if (fault.strikes(operation, path)) {
      throw new IOException("injected: " + operation + " of " + path.getFileName());
    }
  }

  @Override
  public Disk.File open(Path path, boolean create) throws IOException {
    step("open", path);
    Disk.File file = real.open(path, create);
    openFiles.incrementAndGet();
    return new Disk.File() {
      private boolean closed;

      @Override
      public long size() throws IOException {
        return file.size();
      }

      @Override
      public void read(ByteBuffer to, long at) throws IOException {
        step("read", path);
        int before = to.position();
        file.read(to, at);
        bytesRead.addAndGet(to.position() - before);
      }

      @Override
      public void write(ByteBuffer from, long at) throws IOException {
        if (fault.strikes("write", path)) {
          // What a full disk does: a part of it is written.
          ByteBuffer part = from.duplicate();
          part.limit(part.position() + part.remaining() / 2);
          file.write(part, at);
          throw new IOException("injected: write of " + path.getFileName());
        }
        note("write");
        file.write(from, at);
      }

      @Override
      public void sync() throws IOException {
        step("sync", path);
        if (syncs) {
          file.sync();
        }
      }

      @Override
      public void truncate(long size) throws IOException {
        step("truncate", path);
        file.truncate(size);
      }

      @Override
      public void close() throws IOException {
        if (!closed) {
          closed = true;
          openFiles.decrementAndGet();
        }
        file.close();
      }
    };
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step("rename", to);
    real.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    step("delete", path);
    real.delete(path);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    step("syncFolder", folder);
    if (syncs) {
      real.syncFolder(folder);
    }
  }
}
