package dev.clew.sqlite;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A mounted file system, unmounted when closed. Used by one thread. */
final class Mount implements Closeable {
  private final Path at;

  private Mount(Path at) {
    this.at = at;
  }

  static Mount bindReadOnly(Path what, Path at) throws IOException {
    run("mount", "--bind", what.toString(), at.toString());
    Mount mount = new Mount(at);
    try {
      run("mount", "-o", "remount,bind,ro", at.toString());
    } catch (IOException e) {
      mount.close();
      throw e;
    }
    return mount;
  }

  /** A file system in memory that holds this much and no more. */
  static Mount small(int bytes, Path at) throws IOException {
    run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", at.toString());
    return new Mount(at);
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(List.of(command) + " failed: " + said.trim());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    run("umount", at.toString());
  }
}
