package dev.clew.jsonl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The few things the store does to files; a test replaces it by one that fails. Thread-safe, but a
 * {@link File} is used by one thread at a time.
 */
interface Disk {
  /** An open file. */
  interface File extends AutoCloseable {
    long size() throws IOException;

    /** Fills the buffer from there on, unless the file ends before. */
    void read(ByteBuffer to, long at) throws IOException;

    /** Writes the whole buffer there. */
    void write(ByteBuffer from, long at) throws IOException;

    /** Returns when the content and the size are on the disk. */
    void sync() throws IOException;

    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Opens a file for reading and writing. */
  File open(Path path, boolean create) throws IOException;

  /** Puts a file in the place of another at one instant. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file, if it exists. */
  void delete(Path path) throws IOException;

  /** Returns when the names of the files in the folder are on the disk. */
  void syncFolder(Path folder) throws IOException;
}
