package dev.clew.bench;

import dev.clew.jsonl.JsonlStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines that the JSONL store writes, appended to a file and synced, and nothing around it. Not
 * thread-safe. The lines were written by the store before, for other turns of the same size.
 */
final class SameLines implements Appender {
  private static final int TURNS = 200;

  private final List<ByteBuffer> turns = new ArrayList<>();
  private final FileChannel channel;
  private int next;

  SameLines(Path scratch, Path file) throws IOException {
    try (ClewStore clew = new ClewStore(JsonlStore.open(scratch))) {
      for (int i = 0; i < TURNS; i++) {
        clew.append("s", Turn.of(i));
      }
    }
    StringBuilder turn = new StringBuilder();
    for (String line : Files.readAllLines(scratch.resolve("s.jsonl"))) {
      turn.append(line).append('\n');
      if (line.contains("\"state\":")) { // the last line of a change
        turns.add(ByteBuffer.wrap(turn.toString().getBytes(StandardCharsets.UTF_8)));
        turn.setLength(0);
      }
    }
    if (turns.size() != TURNS) {
      throw new IllegalStateException(TURNS + " turns are " + turns.size() + " changes");
    }
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public void append(String session, Turn turn) throws IOException {
    ByteBuffer bytes = turns.get(next++ % TURNS).duplicate();
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
