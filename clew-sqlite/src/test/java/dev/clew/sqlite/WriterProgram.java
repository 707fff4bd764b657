package dev.clew.sqlite;

import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.StoredSession;
import dev.clew.tck.History;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A program that writes to one session with several threads and says what it does, in the lines of
 * {@link History}. Each line is one write to a pipe, so what it said stands even if it is killed.
 *
 * <p>Arguments: file, name of this process, number of threads, number of turns for each.
 */
final class WriterProgram {
  static final String SESSION = "shared";
  static final int BATCH = 4;
  private static final int READ_EVERY = 5;

  private final SqliteStore store;
  private final String process;
  private final int turns;
  private final OutputStream out = new FileOutputStream(FileDescriptor.out);

  private WriterProgram(SqliteStore store, String process, int turns) {
    this.store = store;
    this.process = process;
    this.turns = turns;
  }

  public static void main(String[] args) {
    try (SqliteStore store = SqliteStore.open(args[0])) {
      WriterProgram program = new WriterProgram(store, args[1], Integer.parseInt(args[3]));
      Wait.together(
          Integer.parseInt(args[2]),
          thread -> {
            program.write(args[1] + "." + thread);
            return thread;
          });
    }
  }

  private void write(String client) {
    StoredSession session = store.session(SESSION);
    for (int turn = 0; turn < turns; turn++) {
      String batch = client + "." + turn;
      say("invoke " + client + " " + batch + " " + BATCH + " " + System.nanoTime());
      try {
        session.commit(Commit.append(History.batch(batch, BATCH)).operationId(batch));
        say("ok " + batch + " " + System.nanoTime());
      } catch (RuntimeException e) {
        say("error " + process + " " + e);
        throw e;
      }
      if (turn % READ_EVERY == 0) {
        long from = System.nanoTime();
        List<Item> items = session.getItems(20);
        String ids = String.join(" ", History.ids(items));
        say("read " + client + " " + from + " " + System.nanoTime() + " tail " + ids);
      }
    }
  }

  private void say(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
