package dev.clew.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The same bytes appended to a file and synced: what the disk allows. Not thread-safe. */
final class PlainFile implements Appender {
  private final FileChannel channel;

  PlainFile(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public void append(String session, Turn turn) throws IOException {
    ByteBuffer bytes = turn.lines().duplicate();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
