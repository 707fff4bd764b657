package dev.clew.jsonl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The file operations of the store; tests replace it by one that fails. Thread-safe, but a {@link
 * File} is used by one thread at a time.
 */
interface Disk {
  /** An open file. */
  interface File extends AutoCloseable {
    long size() throws IOException;

    /** Fills the buffer, unless the file ends before. */
    void read(ByteBuffer to, long at) throws IOException;

    void write(ByteBuffer from, long at) throws IOException;

    /** Makes content and size durable. */
    void sync() throws IOException;

    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Opens a file for reading and writing. */
  File open(Path path, boolean create) throws IOException;

  /** Replaces one file by another atomically. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file, if it exists. */
  void delete(Path path) throws IOException;

  /** Makes the names of the files in a folder durable. */
  void syncFolder(Path folder) throws IOException;
}
